"""Fences: widgets, listings of files, and plain code, each turned into its HTML."""

import re
import textwrap
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from markdown_it.token import Token
from markupsafe import Markup

from builder.console import session_html
from builder.downloads import Download, Downloads
from builder.evidence import Evidence
from builder.examples import Examples
from builder.headings import PageIds
from builder.highlight import BY_SUFFIX, LANGUAGES, code_html
from builder.languages import IN_ENGLISH, Tongue
from builder.markdown import with_lines
from builder.measured import measured_html
from builder.mistakes import Mistakes, listed
from builder.model import Model
from builder.quiz import quiz_html
from lab.problem import Problem
from sim.words import ENGLISH, Untranslated, say, speaking

TEACHER = Markup("""\
<details class="notes teacher"><summary>{}</summary>
<p class="on-screen">{}
<button type="button" data-act="print">{}</button></p>
""")
WIDGET_IDS = "a widget's id once on a page, as in id=another-name"


@dataclass
class Fences:
    """Expands the fences of one page. `widgets` collects the names of those used, each with its settings.

    `left_english` collects the names of those that stay in English on a page in another language.
    """

    file: str
    model: Model
    downloads: Downloads
    evidence: Evidence
    examples: Examples
    ids: PageIds
    mistakes: Mistakes
    tongue: Tongue = IN_ENGLISH
    widgets: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    left_english: set[str] = field(default_factory=set)
    level: int = 1

    def expand(self, tokens: list[Token], first_line: int) -> None:
        """Replace every fence and every indented block by its HTML, or note what is wrong with it.

        What follows a teacher fence, up to the end of the page, is folded: notes for whoever teaches it.
        """
        notes = False
        for token, line in with_lines(tokens, first_line):
            if token.type == "heading_open":
                self.level = int(token.tag[1])
            if token.type in ("fence", "code_block"):
                notes = notes or token.info.strip() == "teacher"
                try:
                    token.content = str(self._html(token, line))
                except Untranslated as error:
                    allowed = f"texts of {self.tongue.file}, or a widget with lang=en"
                    self.mistakes.add(self.file, line, f"{error.args[0]}; allowed: {allowed}")
                token.type = "html_block"
        if notes:
            tokens.append(Token("html_block", "", 0, content="</details>\n", block=True))

    def _html(self, token: Token, line: int) -> str:
        words = token.info.split()
        kind = words[0] if words else "text"
        if kind == "widget":
            return self._widget(words[1:], token.content, line)
        if kind == "listing":
            return self._listing(words[1:], token.content, line)
        if token.info.strip() == "quiz":
            return quiz_html(token.content, self.model, self.mistakes, self.file, line)
        if token.info.strip() == "teacher":
            return _teacher()
        if kind == "measured":
            return self._measured(words[1:], token.content, line)
        if kind == "examples" and self.tongue is IN_ENGLISH:
            return self._examples(words[1:], token.content, line)
        if kind == "wrong-answers":
            return self._wrong_answers(words[1:], line)
        if kind not in LANGUAGES or len(words) > 1:
            given = token.info.strip()
            allowed = listed(
                (
                    "widget NAME setting=value",
                    "listing FILE [REGION]",
                    "measured NAME",
                    "examples PART",
                    "quiz",
                    "teacher",
                    "wrong-answers WIDGET setting=value",
                    *LANGUAGES,
                )
            )
            self.mistakes.add(self.file, line, f"fence {given!r} given; allowed: {allowed}")
            return ""
        return session_html(token.content) if kind == "console" else code_html(token.content, kind)

    def _widget(self, words: list[str], body: str, line: int) -> str:
        if not words or "=" in words[0] or body.strip():
            given = "a widget with text in its fence" if body.strip() else "a widget without a name"
            self.mistakes.add(self.file, line, f"{given} given; allowed: ```widget NAME setting=value, and no text")
            return ""
        settings = self._settings(words[1:], line)
        if settings is None:
            return ""
        lang = settings.pop("lang", self.tongue.tag)
        if lang not in (self.tongue.tag, ENGLISH.tag):
            self.mistakes.add(self.file, line, f"lang {lang!r} given; allowed: en, in a translated chapter")
            return ""
        element_id = settings.pop("id", words[0])
        if not re.fullmatch(r"[A-Za-z][A-Za-z0-9-]*", element_id):
            self.mistakes.add(self.file, line, f"id {element_id!r} given; allowed: letters, digits and hyphens")
            return ""
        try:
            html = self._element(words[0], settings, element_id, lang)
        except Problem as problem:
            self.mistakes.add(self.file, line, str(problem))
            return ""
        self.ids.add_all(html, line, WIDGET_IDS)
        self.widgets.append((words[0], settings))
        if lang != self.tongue.tag:
            self.left_english.add(words[0])
        return title_at_level(html, 2) if self.level == 1 else html

    def _element(self, name: str, settings: dict[str, str], element_id: str, lang: str) -> str:
        if lang == self.tongue.tag:
            return self.model.element(name, settings, element_id)
        with speaking(ENGLISH):
            html = self.model.element(name, settings, element_id)
        return html.replace("<gpu-lab-widget ", f'<gpu-lab-widget lang="{lang}" ', 1)

    def _settings(self, words: list[str], line: int) -> dict[str, str] | None:
        settings: dict[str, str] = {}
        for word in words:
            name, equals, value = word.partition("=")
            if not (name and equals) or name in settings:
                self.mistakes.add(self.file, line, f"{word!r} given; allowed: setting=value, each setting once")
                return None
            settings[name] = value
        return settings

    def _wrong_answers(self, words: list[str], line: int) -> str:
        """The likely wrong answers to a widget's questions, computed for its settings."""
        settings = self._settings(words[1:], line)
        if settings is None:
            return ""
        try:
            return self.model.wrong_answers(words[0] if words else "", settings)
        except Problem as problem:
            self.mistakes.add(self.file, line, str(problem))
            return ""

    def _measured(self, words: list[str], body: str, line: int) -> str:
        """A stored result as a plot and a table."""
        if len(words) != 1 or body.strip():
            given = "```measured " + " ".join(words) + (" with text in the fence" if body.strip() else "")
            self.mistakes.add(self.file, line, f"{given} given; allowed: ```measured NAME, and no text")
            return ""
        try:
            with speaking(ENGLISH):
                html = measured_html(words[0], self.evidence)
            return html if self.tongue is IN_ENGLISH else Markup('<div lang="en">{}</div>').format(Markup(html))
        except Problem as problem:
            self.mistakes.add(self.file, line, str(problem))
            return ""

    def _examples(self, words: list[str], body: str, line: int) -> str:
        """A part of the page of all examples."""
        if len(words) != 1 or body.strip():
            given = "```examples " + " ".join(words) + (" with text in the fence" if body.strip() else "")
            self.mistakes.add(self.file, line, f"{given} given; allowed: ```examples PART, and no text")
            return ""
        try:
            html = self.examples.part(words[0])
        except Problem as problem:
            self.mistakes.add(self.file, line, str(problem))
            return ""
        self.ids.add_all(html, line, "the examples of a kind once on a page")
        return html

    def _listing(self, words: list[str], body: str, line: int) -> str:
        if len(words) not in (1, 2) or body.strip():
            given = "```listing " + " ".join(words) + (" with text in the fence" if body.strip() else "")
            self.mistakes.add(self.file, line, f"{given} given; allowed: ```listing FILE [REGION], and no text")
            return ""
        download = self.downloads.of_file(words[0])
        if download is None:
            offered = listed(entry.file for entry in self.downloads.by_name.values())
            self.mistakes.add(self.file, line, f"listing of {words[0]!r} given; allowed, from the manifest: {offered}")
            return ""
        text = download.text
        region = words[1] if len(words) == 2 else ""
        if region and region not in (regions := regions_of(text)):
            given = f"region {region!r} of {words[0]} given"
            self.mistakes.add(self.file, line, f"{given}; allowed: {listed(regions)}")
            return ""
        return listing_html(download, regions[region] if region else text, self.tongue)


def _teacher() -> str:
    """What opens a teacher's notes, and says when they are printed."""
    printed = say("Folded, these notes stay off paper; unfolded, they are printed with the page.")
    return TEACHER.format(say("Teacher’s notes"), printed, say("Print the page with its notes"))


def title_at_level(html: str, level: int) -> str:
    """A widget's HTML with its title, which is a heading of level 3, at another level: no level may be left out."""
    return re.sub(r'<h3( class="w-title"[^>]*>.*?)</h3>', rf"<h{level}\1</h{level}>", html, count=1, flags=re.DOTALL)


def regions_of(text: str) -> dict[str, str]:
    """The parts of a file between `# region NAME` and `# endregion NAME` (or `//`), without inner marks, dedented."""
    mark = r"^[ \t]*(?:#|//)[ \t]*{}region[ \t]+{}[ \t]*\n"
    found = {}
    for opening in re.finditer(mark.format("", r"(\S+)"), text, re.MULTILINE):
        name = opening.group(1)
        closing = re.compile(mark.format("end", re.escape(name)), re.MULTILINE).search(text + "\n", opening.end())
        if closing:
            part = text[opening.end() : closing.start()]
            found[name] = textwrap.dedent(re.sub(mark.format("(?:end)?", r"\S+"), "", part, flags=re.MULTILINE))
    return found


def listing_html(download: Download, text: str, tongue: Tongue) -> str:
    """A figure: the code, and beneath it the file's name, what it needs, Copy and Download.

    Programs and what the manifest says of them are in English, on every page.
    """
    lang = Markup("") if tongue is IN_ENGLISH else Markup(' lang="en"')
    language = BY_SUFFIX.get(PurePosixPath(download.file).suffix, "text")
    caption = Markup(
        '<figcaption><span class="listing-name">{name}</span> <span class="listing-needs"{lang}>{needs}</span>\n'
        '<button type="button" data-act="copy">{copy}</button>\n'
        '<a href="{root}downloads/{name}" download>{download} <span class="visually-hidden">{name}</span></a>'
        "</figcaption>\n"
    ).format(
        name=download.name,
        needs=download.needs,
        lang=lang,
        copy=say("Copy"),
        download=say("Download"),
        root=tongue.root,
    )
    code = code_html(text, language, download.name)
    return Markup('<figure class="listing code">\n{}{}</figure>\n').format(code, caption)
