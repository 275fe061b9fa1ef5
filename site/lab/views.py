"""A view: all that a page needs to show one setting of a widget; built ahead for listed settings, live for others."""

from typing import Any
from urllib.parse import quote

from lab.controls import Settings, capital, read_settings
from lab.markup import Html, join, tag, text
from lab.programs import notebook_name, notebook_text
from lab.widget import Ask, Frame, Program, Scene, Shortcut, Stride, Widget
from sim.words import ENGLISH, say, spoken

View = dict[str, Any]


def open_scene(widget: Widget, raw: Settings) -> Scene:
    """The scene of settings as they were typed. Raises Problem."""
    return widget.scene(read_settings(widget.controls, raw))


def key(scene: Scene) -> str:
    """The settings as an address writes them; empty ones are left out."""
    linked = {name: value for name, value in scene.settings.items() if value and name not in scene.unlinked}
    return "&".join(f"{name}={quote(value, safe=',;.')}" for name, value in linked.items())


def view(scene: Scene) -> View:
    """What depends on the settings but not on the step."""
    panels = {"code": code_panel(scene.program)} if scene.program else {}
    return {
        "key": key(scene),
        "settings": scene.settings,
        "count": scene.count,
        "parts": {"shortcuts": shortcuts(scene), "asks": asks(scene), "strides": strides(scene)},
        "replies": {ask.name: reply(ask) for ask in scene.asks},
        "panels": panels,
        "note": scene.note,
    }


def full_view(scene: Scene) -> View:
    """The view with every frame and panel in it, for the file beside the page."""
    whole = view(scene)
    whole["panels"] = whole["panels"] | {name: make() for name, make in scene.panels.items()}
    whole["frames"] = [frame_json(scene.frame(step)) for step in range(scene.count)]
    return whole


def frame_json(frame: Frame) -> dict[str, str]:
    """A frame as the page reads it."""
    return {"html": frame.html, "say": frame.say}


def shortcuts(scene: Scene) -> Html:
    """The buttons that jump to a prepared setting, in labelled groups."""
    return join(*(_group(label, buttons) for label, buttons in scene.shortcuts))


def _group(label: str, buttons: tuple[Shortcut, ...]) -> Html:
    made = (
        tag(
            "button",
            button.label,
            type="button",
            aria_pressed="true" if button.pressed else "false",
            data_set=_pairs(button.set),
        )
        for button in buttons
    )
    return tag(
        "div", tag("span", label, class_="group-label"), *made, class_="shortcut-group", role="group", aria_label=label
    )


def _pairs(settings: Settings) -> str:
    return "&".join(f"{name}={quote(value, safe=',;.')}" for name, value in settings.items())


def strides(scene: Scene) -> Html:
    """Pairs of buttons in the player that step further than by one."""
    return join(*(_stride(stride) for stride in scene.strides))


def _stride(stride: Stride) -> Html:
    before = _stride_button(stride, "previous", say("Previous {stride}", stride=stride.label))
    after = _stride_button(stride, "next", say("Next {stride}", stride=stride.label))
    return tag("span", before, tag("span", stride.label, aria_hidden="true"), after, class_="stride")


def _stride_button(stride: Stride, way: str, label: str) -> Html:
    settings = stride.before if way == "previous" else stride.after
    stops = ",".join(str(stop) for stop in stride.stops)
    return tag(
        "button",
        tag("span", class_="sign", aria_hidden="true"),
        type="button",
        aria_label=label,
        aria_disabled="true" if not stops and settings is None else None,
        data_way=way,
        data_stops=stops or None,
        data_set=None if stops or settings is None else _pairs(settings),
        data_keep=not stops,
    )


def asks(scene: Scene) -> Html:
    """The fields for predictions."""
    lead = tag("span", say("Predict, if you like:"), class_="ask-lead") if scene.asks else None
    return join(lead, *(_ask(ask) for ask in scene.asks))


def _ask(ask: Ask) -> Html:
    if ask.choices:
        options = join(
            tag("option", "…", value=""), *(tag("option", label, value=value) for value, label in ask.choices)
        )
        return tag("label", tag("span", ask.label), tag("select", options, data_ask=ask.name, autocomplete="off"))
    box = tag(
        "input",
        type="text",
        inputmode="text",
        size=10,
        autocomplete="off",
        data_ask=ask.name,
        data_notnumber=say("This is not a number, so there is nothing to compare."),
    )
    return tag("label", tag("span", ask.label), box)


def reply(ask: Ask) -> dict[str, Any]:
    """Every answer there is to a prediction: right, each known mistake, and anything else."""
    labels = dict(ask.choices)
    shown = labels.get(ask.answer, ask.answer)
    known: dict[str, list[str]] = {}
    for value, mistake in ask.mistakes:
        if value != ask.answer and mistake.sentence not in known.setdefault(value, []):
            known[value].append(mistake.sentence)
    return {
        "answer": ask.answer,
        "right": _verdict("right", say("Right."), ask.label, say("{answer}. {why}", answer=shown, why=ask.why)),
        "known": {
            value: _verdict(
                "wrong",
                say("Not yet."),
                ask.label,
                _matched(labels.get(value, value), sentences),
                " ",
                _correct(shown, ask),
            )
            for value, sentences in known.items()
        },
        "other": _verdict("wrong", say("Not yet."), ask.label, _correct(shown, ask)),
        "empty": "",
    }


def _matched(value: str, sentences: list[str]) -> Html:
    """What a known wrong answer means; several meanings as a list, each to be read by itself."""
    if len(sentences) == 1:
        return text(say("{value}: {sentence}.", value=value, sentence=sentences[0]))
    lead = say(
        "{value} is what {count} different mistakes give, so it is one of these:", value=value, count=len(sentences)
    )
    return join(lead, tag("ul", *(tag("li", say("{sentence}.", sentence=capital(each))) for each in sentences)))


def _correct(shown: str, ask: Ask) -> str:
    return say("The model says {answer}. {why}", answer=shown, why=ask.why)


def _verdict(kind: str, word: str, label: str, *sentences: str) -> Html:
    return tag(
        "div",
        tag("strong", word),
        " ",
        tag("span", f"{capital(label)} ", class_="asked"),
        *sentences,
        class_=f"verdict-{kind}",
    )


def code_panel(program: Program) -> Html:
    """A program for the settings, with the buttons that copy it, and download it as a file or as a notebook."""
    buttons = tag(
        "div",
        tag("button", say("Copy"), type="button", data_act="copy"),
        _download(program.filename),
        _download(notebook_name(program)),
        class_="code-buttons",
    )
    code = tag(
        "pre",
        tag("code", program.text, lang=None if spoken() is ENGLISH else ENGLISH.tag),
        class_="highlight",
        tabindex="0",
        role="group",
        aria_label=say("{file}, the program for these settings", file=program.filename),
    )
    notebook = tag("pre", notebook_text(program), hidden=True, data_notebook=True)
    return tag("div", buttons, code, notebook, class_="code")


def _download(filename: str) -> Html:
    label = say("Download {suffix}", suffix=f".{filename.rpartition('.')[2]}")
    return tag("button", label, type="button", data_act="download", data_filename=filename)
