"""Code on a page: highlighted by Pygments with class names only, in a box that the keyboard can scroll."""

from functools import cache
from pathlib import Path

import pygments
from markupsafe import Markup
from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

from builder.cache import cached

KEPT = Path(__file__).resolve().parents[2] / ".cache"
LANGUAGES = ("c", "console", "cpp", "cuda", "json", "markdown", "pycon", "python", "text", "toml")
BY_SUFFIX = {".cu": "cuda", ".json": "json", ".md": "markdown", ".py": "python", ".toml": "toml"}


NAMES = {"cpp": "C++", "cuda": "CUDA", "json": "JSON", "pycon": "Python session", "toml": "TOML"}


def code_html(text: str, language: str, label: str = "") -> Markup:
    """`text` letter for letter, in `<pre><code>`. `language` is one of LANGUAGES; ``label`` names the box."""
    parts = [Path(__file__).read_bytes(), pygments.__version__.encode(), language.encode(), text.encode()]
    body = cached(KEPT, "code.html", parts, lambda: _highlighted(text, language).encode()).decode()
    name = label or f"{NAMES.get(language, language.capitalize())}, which may be scrolled"
    opening = Markup('<pre tabindex="0" role="group" aria-label="{}"><code class="language-{}">').format(name, language)
    return opening + Markup(body) + Markup("\n</code></pre>\n")


def _highlighted(text: str, language: str) -> str:
    from pygments.formatters import HtmlFormatter  # nothing of this is loaded where all code was highlighted before

    html: str = pygments.highlight(text, _lexer(language), HtmlFormatter(nowrap=True))
    return html.removesuffix("\n")


@cache
def _lexer(language: str) -> Lexer:
    options = {"stripnl": False, "ensurenl": True}
    try:
        return get_lexer_by_name(language, **options)
    except ClassNotFound:
        return get_lexer_by_name("text", **options)
