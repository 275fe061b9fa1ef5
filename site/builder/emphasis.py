"""Emphasis that leaves technical text alone: `*` only where a word begins or ends, `_` never.

CommonMark takes `(a)*b*(c)` and `"*" and "*"` for emphasis, and `__init__` for bold. Here a run of stars may open only
after a space or an opening bracket, quote or dash, and close only before a space or closing punctuation. The full-width
punctuation of Chinese and Japanese brings its own space.
What pairs with what is then decided by markdown-it's own rules.
"""

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.rules_inline.state_inline import Delimiter

BEFORE_OPENING = frozenset("([{<\"'“‘«–—-/")
AFTER_CLOSING = frozenset(")]}>\"'”’»–—-/.,;:!?…")
FULL_WIDTH = frozenset("（）「」『』《》【】，。、；：！？")


def use_word_emphasis(parser: MarkdownIt) -> None:
    """Put this module's rule in the place of CommonMark's."""
    parser.inline.ruler.at("emphasis", tokenize)


def tokenize(state: StateInline, silent: bool) -> bool:
    """Take a run of stars as delimiters, each marked as able to open or to close by its neighbours."""
    if silent or state.src[state.pos] != "*":
        return False
    stop = state.pos
    while stop < state.posMax and state.src[stop] == "*":
        stop += 1
    before = state.src[state.pos - 1] if state.pos else " "
    after = state.src[stop] if stop < state.posMax else " "
    length = stop - state.pos
    for _ in range(length):
        state.push("text", "", 0).content = "*"
        state.delimiters.append(
            Delimiter(
                marker=ord("*"),
                length=length,
                token=len(state.tokens) - 1,
                end=-1,
                open=can_open(before, after),
                close=can_close(before, after),
            )
        )
    state.pos = stop
    return True


def can_open(before: str, after: str) -> bool:
    """True for stars between `before` and `after` that stand where a word begins."""
    if after.isspace() or after in AFTER_CLOSING - BEFORE_OPENING:
        return False
    return _is_space(before) or (before in BEFORE_OPENING and _is_word(after))


def can_close(before: str, after: str) -> bool:
    """True for stars between `before` and `after` that stand where a word ends."""
    if before.isspace() or before in BEFORE_OPENING - AFTER_CLOSING:
        return False
    ends_word = _is_word(before) or before in AFTER_CLOSING - BEFORE_OPENING
    return _is_space(after) or (after in AFTER_CLOSING and ends_word)


def _is_space(character: str) -> bool:
    return character.isspace() or character in FULL_WIDTH


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "`"
