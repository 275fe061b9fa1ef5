"""Code on a page: highlighted by Pygments with class names only, in a box that the keyboard can scroll."""

from functools import cache

from markupsafe import Markup
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

LANGUAGES = ("c", "console", "cpp", "cuda", "json", "markdown", "pycon", "python", "text", "toml")
BY_SUFFIX = {".cu": "cuda", ".json": "json", ".md": "markdown", ".py": "python", ".toml": "toml"}


NAMES = {"cpp": "C++", "cuda": "CUDA", "json": "JSON", "pycon": "Python session", "toml": "TOML"}


def code_html(text: str, language: str, label: str = "") -> Markup:
    """`text` letter for letter, in `<pre><code>`. `language` is one of LANGUAGES; ``label`` names the box."""
    formatter = HtmlFormatter(nowrap=True)
    body = highlight(text, _lexer(language), formatter).removesuffix("\n")
    name = label or f"{NAMES.get(language, language.capitalize())}, which may be scrolled"
    opening = Markup('<pre tabindex="0" role="group" aria-label="{}"><code class="language-{}">').format(name, language)
    return opening + Markup(body) + Markup("\n</code></pre>\n")


@cache
def _lexer(language: str) -> Lexer:
    options = {"stripnl": False, "ensurenl": True}
    try:
        return get_lexer_by_name(language, **options)
    except ClassNotFound:
        return get_lexer_by_name("text", **options)
