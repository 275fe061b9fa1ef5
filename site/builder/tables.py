"""Tables that scroll inside a box the keyboard can reach, so that a narrow screen cuts nothing."""

from markdown_it.token import Token
from markupsafe import Markup

from builder.markdown import plain_text
from sim.words import say

OPENING = Markup('<div class="table" role="group" aria-label="{}" tabindex="0">\n')
CAPTION = Markup('<caption class="visually-hidden">{}</caption>\n')


def box_tables(tokens: list[Token]) -> list[Token]:
    """The tokens with every table in its box, header cells that say they head a column, and a caption for listeners.

    The caption is the paragraph above where that ends in a colon, else the heading of the section.
    """
    boxed: list[Token] = []
    heading = say("Table")
    for at, token in enumerate(tokens):
        if token.type == "heading_open":
            heading = plain_text(tokens[at + 1].children or [])
        if token.type == "table_open":
            above = plain_text(tokens[at - 2].children or []) if tokens[at - 1].type == "paragraph_close" else ""
            caption = above.removesuffix(":") if above.endswith(":") else heading
            boxed += [Token("html_block", "", 0, content=OPENING.format(caption)), token]
            boxed.append(Token("html_block", "", 0, content=CAPTION.format(caption)))
            continue
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
