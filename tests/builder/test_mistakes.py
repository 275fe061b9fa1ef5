"""Every mistake of an author is told with file, line, what was given and what is allowed."""

import re
import subprocess
import sys

import pytest

from lab.registry import WIDGETS

FRONT = "---\ntitle: One\ndescription: The first.\norder: 1\n---\n"
HELLO = 'file = "downloads/hello.py"'
FORMS = "page.md, page.md#place, #place, download:name, folder:, sim:number, result:file/path, https://…"
PAGES = "01-one.md, 404.md, index.md, one.md"

BODIES = {
    "unknown widget": (
        "```widget tile-wlk n=4\n```\n",
        ":7: widget: given “tile-wlk”; allowed: " + ", ".join(sorted(WIDGETS)),
    ),
    "widget without a name": (
        "Text.\n\n```widget n=4\n```\n",
        ":9: a widget without a name given; allowed: ```widget NAME setting=value, and no text",
    ),
    "text in a widget": (
        "```widget tile-walk\nn=4\n```\n",
        ":7: a widget with text in its fence given; allowed: ```widget NAME setting=value, and no text",
    ),
    "setting without value": (
        "```widget tile-walk n\n```\n",
        ":7: 'n' given; allowed: setting=value, each setting once",
    ),
    "widget id that is no id": (
        "```widget tile-walk id=2nd\n```\n",
        ":7: id '2nd' given; allowed: letters, digits and hyphens",
    ),
    "unknown fence": (
        "\n```pyhton\nx\n```\n",
        ":8: fence 'pyhton' given; allowed: c, console, cpp, cuda, examples PART, json, listing FILE [REGION],"
        " markdown, measured NAME, pycon, python, quiz, teacher, text, toml, widget NAME setting=value,"
        " wrong-answers WIDGET setting=value",
    ),
    "link to a page that is not there": (
        "One\ntwo [x](two.md) three\n",
        f":8: link to 'two.md' given; allowed: {PAGES}",
    ),
    "link of another form": (
        "[x](/reuse.html)\n",
        f":7: link to '/reuse.html' given; allowed: {FORMS}",
    ),
    "link that runs script": (
        "[x](javascript:alert(1))\n",
        f":7: link to 'javascript:alert(1)' given; allowed: {FORMS}",
    ),
    "link without words": (
        "[](index.md)\n",
        ":7: link to 'index.md' without words given; allowed: words that say where it leads",
    ),
    "place that is not there": (
        "## Here\n\n[x](#there)\n",
        ":9: place 'there' of this page given; allowed: here",
    ),
    "place on another page that is not there": (
        "[x](index.md#there)\n",
        ":7: place 'there' of index.md given; allowed: nothing",
    ),
    "a wrong link in a table": (
        "| a |\n|---|\n| b |\n| [x](two.md) |\n",
        f":10: link to 'two.md' given; allowed: {PAGES}",
    ),
    "part of the examples that there is not": (
        "```examples programs\n```\n",
        ":7: part of the examples: given “programs”; allowed: model, notebooks, program, zip",
    ),
    "examples with text": (
        "```examples zip\nx\n```\n",
        ":7: ```examples zip with text in the fence given; allowed: ```examples PART, and no text",
    ),
    "examples of a kind twice": (
        "## One\n\n```examples program\n```\n\n```examples program\n```\n",
        ":12: id 'hello-py' given, which line 9 has already; allowed: the examples of a kind once on a page",
    ),
    "download that is not offered": (
        "[x](download:nothing.py)\n",
        ":7: download 'nothing.py' given; allowed: gpu-lab-examples.zip, hello.ipynb, hello.py"
        " (downloads/manifest.toml)",
    ),
    "listing that is not offered": (
        "```listing downloads/nothing.py\n```\n",
        ":7: listing of 'downloads/nothing.py' given; allowed, from the manifest: downloads/hello.py",
    ),
    "listing region that is not there": (
        "```listing downloads/hello.py start\n```\n",
        ":7: region 'start' of downloads/hello.py given; allowed: greet",
    ),
    "quoted number that sim contradicts": (
        "Loads: [65](sim:tiled_loads?n=4&tile=2)\n",
        ":7: '65' as sim:tiled_loads?n=4&tile=2 given; allowed: 64, which is what sim says",
    ),
    "equal headings": (
        "## Try it\n\n## Try it\n",
        ":9: id 'try-it' given, which line 7 has already; allowed: one heading for each id; tell equal headings apart"
        " with {#another-id}",
    ),
    "heading called like the page's frame": (
        "## Contents\n",
        ":7: id 'contents' given, which the page's own frame has already; allowed: one heading for each id; tell equal"
        " headings apart with {#another-id}",
    ),
    "heading id that is no id": (
        "## Two {#2 b}\n",
        ":7: heading id '#2 b' given; allowed: an id of letters, digits and hyphens after the heading's words, as in"
        " {#first-step}",
    ),
    "heading without letters": (
        "## ×\n",
        ":7: heading id '' given; allowed: an id of letters, digits and hyphens after the heading's words, as in"
        " {#first-step}",
    ),
    "heading level left out": (
        "## Two\n\n#### Four\n",
        ":9: heading of level 4 after level 2 given; allowed: level 1 at the very beginning (or the title stands"
        " there), then no level left out",
    ),
    "image that is not there": (
        "![A board](board.png)\n",
        ":7: image 'board.png' given; allowed: the name of a file beside the chapter: .avif, .png, .svg or .webp",
    ),
}

FRONTS = {
    "no front matter": (
        "Hello\n",
        ":1: first line 'Hello' given; allowed: front matter between two lines of ---",
    ),
    "front matter without end": (
        "---\ntitle: x\n",
        ":1: first line '---' given; allowed: front matter between two lines of ---",
    ),
    "unknown key": (
        "---\ntitle: One\ndescription: x\ntittle: Two\norder: 1\n---\n",
        ":4: front matter key 'tittle' given; allowed: description, nav, order, title",
    ),
    "key given twice": (
        "---\ntitle: One\ndescription: x\ntitle: Two\norder: 1\n---\n",
        ":2: front matter key 'title' given twice; allowed: each once",
    ),
    "missing key": (
        "---\ntitle: One\norder: 1\n---\n",
        ":1: front matter without description given; required: description, title",
    ),
    "wrong kind": (
        "---\ntitle: One\ndescription: x\norder: first\n---\n",
        ":4: front matter order: 'first' given; allowed: a whole number",
    ),
    "number for text": (
        "---\ntitle: 2026\ndescription: x\norder: 1\n---\n",
        ":2: front matter title: 2026 given; allowed: text on one line, in quotes if YAML takes it otherwise",
    ),
    "not YAML": (
        "---\ntitle: One\ndescription: a: b\norder: 1\n---\n",
        ":3: front matter that is not YAML given (mapping values are not allowed here); allowed: lines of key: value",
    ),
    "numbered chapter without order": (
        "---\ntitle: One\ndescription: x\n---\n",
        ":1: a numbered chapter without order given; required: order: a whole number",
    ),
}


@pytest.fixture(autouse=True)
def offered(author):
    """An author whose manifest offers one file with one region."""
    author.chapter("Right.\n")
    author.write("downloads/hello.py", "# region greet\nprint('hello')\n# endregion greet\n")
    author.write(
        "downloads/manifest.toml",
        '[[download]]\nfile = "downloads/hello.py"\nkind = "program"\nrun = "python hello.py"\n'
        'what = "Says hello."\nneeds = "Python"\nshown = ["01-one.md"]\n'
        'checked = "run by a test"\n',
    )


@pytest.mark.parametrize(("body", "told"), BODIES.values(), ids=BODIES)
def test_mistake_in_the_text(author, body: str, told: str) -> None:
    author.chapter(body)
    assert author.mistakes() == ["chapters/01-one.md" + told]


@pytest.mark.parametrize(("text", "told"), FRONTS.values(), ids=FRONTS)
def test_mistake_in_the_front_matter(author, text: str, told: str) -> None:
    author.write("chapters/01-one.md", text)
    assert author.mistakes() == ["chapters/01-one.md" + told]


def test_order_in_a_page_without_number(author) -> None:
    author.write("chapters/words.md", "---\ntitle: Words\ndescription: x\norder: 3\n---\n")
    assert author.mistakes() == [
        "chapters/words.md:4: order in a page without number given; allowed: order in files named like 01-name.md only"
    ]


def test_two_chapters_of_one_order(author) -> None:
    author.write("chapters/02-two.md", FRONT)
    assert author.mistakes() == [
        "chapters/02-two.md:1: order 1 given, which chapters/01-one.md has; allowed: each once"
    ]


def test_two_pages_of_one_name(author) -> None:
    author.write("chapters/one.md", "---\ntitle: One\ndescription: x\n---\n")
    assert author.mistakes() == [
        "chapters/one.md:1: page name 'one' given, which chapters/01-one.md has; allowed: each once"
    ]


def test_text_that_is_not_utf8(author) -> None:
    author.write("chapters/01-one.md", FRONT.encode() + b"right\ncaf\xe9\n")
    assert author.mistakes() == ["chapters/01-one.md:7: byte 0xe9 given; allowed: text in UTF-8"]


def test_widget_of_a_heading_s_name_takes_no_id_from_it(author) -> None:
    author.chapter("## Tile walk\n\n```widget tile-walk n=4\n```\n")
    told = author.mistakes()
    assert told == [
        "chapters/01-one.md:9: id 'tile-walk' given, which line 7 has already; allowed: a widget's id once on a page,"
        " as in id=another-name"
    ]


def test_unknown_setting_names_those_allowed(author) -> None:
    author.chapter("```widget tile-walk m=4\n```\n")
    (told,) = author.mistakes()
    assert told.startswith("chapters/01-one.md:7: ")
    assert "m" in told and "allowed: " in told and "tile" in told


def test_unknown_quoted_number_names_those_there_are(author) -> None:
    author.chapter("[1](sim:tiled_lods?n=4)\n")
    (told,) = author.mistakes()
    assert told.startswith("chapters/01-one.md:7: quoted number sim:tiled_lods?n=4: ")
    assert "tiled_loads" in told


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (
            'fil = "downloads/hello.py"',
            ":1: key 'fil' given; allowed: checked, file, inlines, kind, measured, name, needs, packages, result, run,"
            " shown, what",
        ),
        ('file = "downloads/broken.py"', ":1: downloads/broken.py given, which Python cannot read ("),
        (f'{HELLO}\npackages = ["nump"]', ":1: packages = ['nump'] given; allowed: a list of packages that pyproject"),
        (f'{HELLO}\nresult = "x.json"', ":1: result or measured alone given; allowed: both, the stored result and"),
        (f'{HELLO}\nresult = "x.json"\nmeasured = "run"', ":1: result: given “x.json”; allowed: none is stored"),
        (f'{HELLO}\ninlines = "gpu/teaching.py"', ":1: inlines = 'gpu/teaching.py' given: no line 'from gpu.teaching"),
        (f'{HELLO}\ninlines = "gpu/none.py"', ":1: inlines = 'gpu/none.py' given; allowed: a Python file of the"),
        ('file = "downloads/none.py"', ":1: file 'downloads/none.py' given; allowed: a file of the repository"),
        ('file = "../outside.py"', ":1: file '../outside.py' given; allowed: a file of the repository"),
    ],
)
def test_mistake_in_the_manifest(author, line: str, told: str) -> None:
    (author.folder.parent / "outside.py").write_text("x = 1\n", encoding="utf-8")
    author.write("downloads/broken.py", "def f(:\n")
    manifest = author.folder / "downloads" / "manifest.toml"
    text = manifest.read_text(encoding="utf-8").replace('file = "downloads/hello.py"', line)
    author.write("downloads/manifest.toml", text)
    assert any(mistake.startswith("downloads/manifest.toml" + told) for mistake in author.mistakes())


@pytest.mark.parametrize(
    ("key", "told"),
    [
        ("kind", "kind 'programme' given; allowed: model, program"),
        ("shown", "shown = 'programme' given; allowed: a list of names of files in chapters/"),
    ],
)
def test_wrong_value_in_the_manifest(author, key: str, told: str) -> None:
    manifest = author.folder / "downloads" / "manifest.toml"
    text = re.sub(rf"^{key} = .*", f'{key} = "programme"', manifest.read_text(encoding="utf-8"), flags=re.MULTILINE)
    author.write("downloads/manifest.toml", text)
    assert f"downloads/manifest.toml:1: {told}" in author.mistakes()


@pytest.mark.parametrize(
    ("file", "told"),
    [
        ("downloads/hello.py", "name 'hello.py' given twice; allowed: one entry for each name"),
        (
            "downloads/hello.cu",
            "hello.cu, whose notebook would be 'hello.ipynb' like another's, given; allowed: a name that no other"
            " program has before its dot",
        ),
    ],
)
def test_two_downloads_of_one_name(author, file: str, told: str) -> None:
    author.write("downloads/hello.cu", "// Hello.\nint main() {}\n")
    manifest = author.folder / "downloads" / "manifest.toml"
    entry = manifest.read_text(encoding="utf-8")
    author.write("downloads/manifest.toml", entry + entry.replace("downloads/hello.py", file))
    assert author.mistakes() == [f"downloads/manifest.toml:{entry.count(chr(10)) + 1}: {told}"]


def test_listing_that_is_not_utf8(author) -> None:
    author.write("downloads/hello.py", b"print('caf\xe9')\n")
    author.chapter("```listing downloads/hello.py\n```\n")
    told = "downloads/manifest.toml:1: downloads/hello.py with byte 0xe9 given; allowed: text in UTF-8"
    assert told in author.mistakes()


def test_manifest_that_is_not_toml(author) -> None:
    author.write("downloads/manifest.toml", "[[download]]\nfile = \n")
    assert author.mistakes()[0].startswith("downloads/manifest.toml:2: ")


def test_all_mistakes_of_a_build_are_told_together(author) -> None:
    author.write("chapters/index.md", "---\ntitle: Start\ndescription: x\n---\n[x](none.md)\n")
    author.chapter("[x](none.md)\n\n```widget nothing\n```\n\n[7](sim:tiled_loads?n=4&tile=2)\n")
    told = [mistake.split(" ")[0] for mistake in author.mistakes()]
    assert told == ["chapters/01-one.md:7:", "chapters/01-one.md:9:", "chapters/01-one.md:12:", "chapters/index.md:5:"]


def test_the_command_tells_mistakes_without_a_traceback_and_writes_nothing(author, tmp_path) -> None:
    author.chapter("[x](none.md)\n")
    out = tmp_path / "out"
    command = [sys.executable, "-m", "builder", str(author.folder), "--out", str(out)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8")
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        f"chapters/01-one.md:7: link to 'none.md' given; allowed: {PAGES}",
        "Nothing was written, because of one mistake.",
    ]
    assert not out.exists()
