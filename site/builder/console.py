"""A terminal session on a page: lines that begin with `$ ` are typed, the others are what comes back."""

from markupsafe import Markup

from builder.highlight import code_html

PROMPT = "$ "


def commands(text: str) -> list[str]:
    """What is typed, without the prompts."""
    return [line.removeprefix(PROMPT) for line in text.splitlines() if line.startswith(PROMPT)]


def session_html(text: str) -> Markup:
    """The session, with a button that copies what is typed and nothing else."""
    typed = commands(text)
    code = code_html(text, "console", f"Terminal: {typed[0]}" if typed else "Terminal")
    if not typed:
        return code
    words = "Copy the command" if len(typed) == 1 else "Copy the commands"
    return Markup(
        '<figure class="code session" data-copy="{}">\n{}<figcaption>'
        '<button type="button" data-act="copy" aria-label="{} {}">{}</button></figcaption>\n</figure>\n'
    ).format("\n".join(typed), code, words, typed[0], words)
