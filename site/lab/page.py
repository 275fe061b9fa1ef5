"""The element of a widget as it is built into a page: complete and readable before any script runs."""

from collections.abc import Sequence

from lab.controls import Code, Settings, capital
from lab.figures import facts
from lab.markup import Html, join, tag
from lab.registry import widget_named
from lab.results.own_files import OwnFiles
from lab.views import View, asks, code_panel, full_view, key, open_scene, shortcuts, strides
from lab.widget import Ask, Scene, Widget
from sim.words import later, say

PLAYER = (
    ("first", later("First")),
    ("previous", later("Previous")),
    ("play", later("Play")),
    ("next", later("Next")),
    ("last", later("Last")),
)


def element(widget_name: str, given: Settings, element_id: str) -> Html:
    """The whole element with its first frame. Raises Problem for an unknown widget or setting."""
    widget = widget_named(widget_name)
    scene = open_scene(widget, given)
    first = scene.frame(0)
    title_id = f"{element_id}-title"
    body = join(
        tag("h3", say(widget.title), class_="w-title", id=title_id),
        tag("p", say(widget.question), class_="w-question"),
        tag("div", shortcuts(scene), data_part="shortcuts"),
        _form(widget, scene, element_id),
        tag("p", class_="w-notice", data_slot="notice", role="alert", id=f"{element_id}-notice", hidden=True),
        tag("div", class_="w-verdict", data_slot="verdict", aria_live="polite"),
        _player(scene),
        tag("p", first.say, class_="w-say", data_slot="say", aria_live="polite"),
        tag("div", first.html, class_="w-frame", data_slot="frame"),
        _how(widget),
        tag("div", *_panels(widget, scene), _assumptions(widget), class_="w-panels"),
        tag(
            "noscript",
            tag("p", say("Without JavaScript this shows the first step only. Stepping and other settings need it.")),
        ),
    )
    return tag(
        "gpu-lab-widget",
        tag("section", body, role="group", aria_labelledby=title_id, class_=None if widget.steps else "w-still"),
        id=element_id,
        data_widget=widget.name,
        data_key=key(scene),
        data_count=scene.count,
    )


def listed(widget_name: str, more: Sequence[Settings] = ()) -> dict[str, View]:
    """The full view of every listed setting, and of ``more`` that a page opens with, by its key (or #1, #2, …)."""
    widget = widget_named(widget_name)
    views = (full_view(open_scene(widget, settings)) for settings in (*widget.listed, *more))
    return {str(each["key"]) or f"#{number}": each for number, each in enumerate(views, 1)}


def wrong_answers(widget_name: str, given: Settings) -> Html:
    """A table for teachers for each of this widget's questions: what likely wrong answers mean. Raises Problem."""
    scene = open_scene(widget_named(widget_name), given)
    return join(*(_likely(ask) for ask in scene.asks if ask.mistakes))


def _likely(ask: Ask) -> Html:
    """A row for each wrong answer; several mistakes that give it stand together."""
    meanings: dict[str, str] = {}
    for value, mistake in ask.mistakes:
        if value != ask.answer:
            one, other = meanings.get(value), mistake.sentence
            meanings[value] = say("{one}; or {other}", one=one, other=other) if one else other
    rows = [("", (ask_value(ask, value), say("{sentence}.", sentence=told))) for value, told in meanings.items()]
    caption = say("{question} Likely wrong answers, and what each means", question=capital(ask.label))
    return facts(caption, (say("answered"), say("what happened")), rows)


def ask_value(ask: Ask, value: str) -> str:
    """An answer as a reader sees it: the label of a choice, else the text itself."""
    return dict(ask.choices).get(value, value)


def _form(widget: Widget, scene: Scene, element_id: str) -> Html:
    """Predict and Run in sight; what the question does not need is folded: other settings, own matrices."""
    code = [control.field(scene.settings[control.name]) for control in widget.controls if isinstance(control, Code)]
    predict = tag(
        "div",
        asks(scene),
        data_part="asks",
        role="group",
        aria_label=say("Your prediction, if you like"),
    )
    files = [control.field(scene.settings[control.name]) for control in _shown_files(widget)]
    run = widget.run_label or Widget.run_label
    buttons = tag(
        "div",
        tag("button", say(run), type="submit", class_="w-run", hidden=not widget.run_label),
        _start_over() if code else None,
        tag("button", say("Stop"), type="button", data_act="stop", hidden=True),
        class_="w-buttons",
    )
    return tag(
        "form",
        *(_fixed(widget, name, scene.settings[name]) for name in widget.fixed),
        *code,
        *files,
        tag("div", predict, buttons, _state(), class_="w-try"),
        _more(widget, scene),
        class_="w-form",
        autocomplete="off",
        novalidate=True,
        aria_describedby=f"{element_id}-notice",
    )


def _shown_files(widget: Widget) -> list[OwnFiles]:
    return [c for c in widget.controls if isinstance(c, OwnFiles) and c.name not in widget.fixed]


def _fixed(widget: Widget, name: str, value: str) -> Html:
    """A setting that the reader does not change here."""
    control = next(control for control in widget.controls if control.name == name)
    if isinstance(control, OwnFiles):
        return control.hidden(value)
    return tag("input", type="hidden", name=name, value=value)


def _state() -> Html:
    """What computed the numbers in sight, and what Python is doing: beside Run, where a reader looks."""
    return tag(
        "p",
        say("Prepared by the same Python code."),
        class_="w-state",
        data_slot="state",
    )


def _start_over() -> Html:
    return tag("button", say("Start over"), type="button", data_act="fresh")


def _more(widget: Widget, scene: Scene) -> Html:
    own = [control for control in widget.controls if control.name in widget.own_inputs]
    plain = [
        c
        for c in widget.controls
        if c.name not in (*widget.own_inputs, *widget.fixed) and not isinstance(c, Code | OwnFiles)
    ]
    if not plain and not own:
        return Html("")
    fields = tag("div", *(control.field(scene.settings[control.name]) for control in plain), class_="w-fields")
    matrices = tag(
        "fieldset",
        tag("legend", say("Other numbers")),
        tag(
            "p",
            say(
                "Type or paste rows of numbers, from a spreadsheet or a print-out of NumPy or PyTorch too: "
                "integers and decimals, at most 64 rows and 64 columns. Give both matrices, or leave both empty."
            ),
        ),
        tag("div", *(control.field(scene.settings[control.name]) for control in own), class_="w-own-fields"),
        class_="w-own",
    )
    again = tag("button", say("Run with these"), type="submit")
    return tag(
        "details", tag("summary", _more_title(widget)), fields, matrices if own else None, again, class_="w-more"
    )


def _more_title(widget: Widget) -> str:
    return say("Any other size, output, or your own matrices") if widget.own_inputs else say("Other settings")


def _how(widget: Widget) -> Html | None:
    """What fingers can do, and what a mouse can do, with the way that keys have."""
    swipe = tag("span", say("Swipe the picture sideways to step. "), class_="w-touch") if widget.steps else None
    labels = [say(control.label) for control in widget.controls if control.name in widget.picks]
    pick = (
        say(
            "To choose another place in C, click or tap it, or give its {labels} under “{title}”.",
            labels=say(" and ").join(labels),
            title=_more_title(widget),
        )
        if labels
        else None
    )
    return tag("p", swipe, pick, class_="w-how" if pick else "w-how w-touch") if swipe or pick else None


def _player(scene: Scene) -> Html:
    buttons = (
        tag(
            "button",
            tag("span", class_="sign", aria_hidden="true"),
            tag("span", say(label), class_="word"),
            type="button",
            data_act=act,
            aria_pressed="false" if act == "play" else None,
        )
        for act, label in PLAYER
    )
    slider = tag(
        "input",
        type="range",
        data_act="slider",
        min=0,
        max=scene.count - 1,
        value=0,
        step=1,
        autocomplete="off",
        aria_label=say("Step"),
    )
    return tag(
        "div",
        *buttons,
        slider,
        tag("output", say("step {at} of {count}", at=1, count=scene.count), data_slot="position"),
        tag("div", strides(scene), class_="w-strides", data_part="strides"),
        class_="w-player",
        role="group",
        aria_label=say("Steps"),
    )


def _panels(widget: Widget, scene: Scene) -> list[Html]:
    panels = [
        tag(
            "details",
            tag("summary", say(widget.panel_titles[name]) if name in widget.panel_titles else capital(name)),
            tag("div", make(), data_slot="panel"),
            data_panel=name,
        )
        for name, make in scene.panels.items()
    ]
    if scene.program:
        panels.append(
            tag(
                "details",
                tag("summary", say("PyTorch code for these settings")),
                tag("div", code_panel(scene.program), data_slot="panel"),
                data_panel="code",
            )
        )
    return panels


def _assumptions(widget: Widget) -> Html:
    return tag(
        "details",
        tag("summary", say(widget.limits_title)),
        tag("ul", *(tag("li", say(sentence)) for sentence in widget.assumptions)),
    )
