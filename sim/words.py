"""Sentences for readers. The English text is what stands in the code, and the key of its translation in a catalogue.

    say("Phase {phase} loads {inputs}.", phase=0, inputs=counted(8, "input"))

In English that is ``Phase 0 loads 8 inputs.``; another language puts the same names where its grammar wants them.
Which language is spoken is the one thing here that is no argument, as it would pass through every function that makes
a picture: whoever makes a page, or answers one, does so within ``speaking(language)``.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

PLACE = re.compile(r"\{([a-z_]+)\}")


class Untranslated(LookupError):
    """A text that the language which is spoken does not have."""


@dataclass(frozen=True)
class Language:
    """``texts`` has the translations of a key (see ``key``), one for each plural form; ``form`` says which for n.

    ``tag`` is as in HTML's ``lang``. The language of the code, English, needs no texts.
    """

    tag: str
    texts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    form: Callable[[int], int] = lambda n: 0 if n == 1 else 1

    def text(self, wanted: str) -> str:
        """The translation. Raises Untranslated."""
        return self._forms(wanted)[0]

    def text_for(self, count: int, wanted: str) -> str:
        """The translation for a count. Raises Untranslated."""
        return self._forms(wanted)[self.form(count)]

    def _forms(self, wanted: str) -> tuple[str, ...]:
        if wanted not in self.texts:
            raise Untranslated(f"text {wanted!r} given, which {self.tag} does not have")
        return self.texts[wanted]


ENGLISH = Language("en")
_spoken: ContextVar[Language] = ContextVar("spoken", default=ENGLISH)


@contextmanager
def speaking(language: Language) -> Iterator[None]:
    """All that is said within is said in ``language``."""
    before = _spoken.set(language)
    try:
        yield
    finally:
        _spoken.reset(before)


def spoken() -> Language:
    """The language that is spoken."""
    return _spoken.get()


def key(text: str, context: str = "") -> str:
    """What a catalogue knows a text by, in gettext's way; ``context`` tells equal English texts apart."""
    return f"{context}\x04{text}" if context else text


def worded(text: str, context: str = "") -> str:
    """The text in the language that is spoken, its names not yet filled in. Raises Untranslated."""
    language = spoken()
    return text if language is ENGLISH else language.text(key(text, context))


def say(text: str, /, *, context: str = "", **values: object) -> str:
    """The text in the language that is spoken, with ``values`` at its {names}. Raises Untranslated, KeyError."""
    return filled(worded(text, context), values)


def say_for(count: int, one: str, many: str, /, **values: object) -> str:
    """``one`` or ``many`` for a count, or the form that the language has for it; the count itself is {n}."""
    language = spoken()
    text = (one if count == 1 else many) if language is ENGLISH else language.text_for(count, one)
    return filled(text, {"n": count} | values)


def counted(count: int, singular: str, plural: str = "", shown: str = "") -> str:
    """``1 row``, ``2 rows``; ``plural`` where it is not the singular with an s, ``shown`` another way to write it."""
    return say_for(count, f"{{n}} {singular}", f"{{n}} {plural or singular + 's'}", n=shown or count)


def later(text: str) -> str:
    """The text itself: a constant that is said later. It marks the text for the catalogue."""
    return text


def filled(text: str, values: Mapping[str, object]) -> str:
    """The text with its {names} filled in. Raises KeyError for a name without a value."""
    return PLACE.sub(lambda place: str(values[place[1]]), text)
