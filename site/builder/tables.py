"""Tables that scroll inside a box the keyboard can reach, so that a narrow screen cuts nothing."""

from markdown_it.token import Token

OPENING = '<div class="table" role="group" aria-label="Table" tabindex="0">\n'


def box_tables(tokens: list[Token]) -> list[Token]:
    """The tokens with every table in its box, and header cells that say they head a column."""
    boxed: list[Token] = []
    for token in tokens:
        if token.type == "table_open":
            boxed.append(Token("html_block", "", 0, content=OPENING))
        if token.type == "th_open":
            token.attrSet("scope", "col")
        _style_to_class(token)
        boxed.append(token)
        if token.type == "table_close":
            boxed.append(Token("html_block", "", 0, content="</div>\n"))
    return boxed


def _style_to_class(token: Token) -> None:
    style = str(token.attrs.pop("style", ""))
    if style:
        token.attrSet("class", style.replace("text-align:", "align-"))
