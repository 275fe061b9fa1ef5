"""The one door between a page and Python: JSON text in, JSON text out.

A Session keeps the scenes that were opened last, so that stepping through a long trace does not make it anew.
Whatever goes wrong comes back as ``{"problem": sentence}``; no traceback reaches a reader. Only a MemoryError goes
through: this Python is of no more use, and the page starts another one.
"""

import json
import sys
from contextlib import ExitStack
from typing import Any

from lab.controls import read_settings
from lab.problem import Problem, given
from lab.registry import widget_named
from lab.views import frame_json, view
from lab.widget import Scene, Widget
from sim.words import ENGLISH, Language, say, speaking, spoken

KEPT = 8

Message = dict[str, Any]


class Session:
    """Answers requests, remembering the last few scenes."""

    def __init__(self) -> None:
        self._scenes: dict[tuple[str, str, str], Scene] = {}
        self._languages: dict[str, Language] = {ENGLISH.tag: ENGLISH}

    def handle(self, request: str) -> str:
        """The answer to one request, both JSON text. Raises MemoryError when there is no room for one."""
        with ExitStack() as stack:
            try:
                message = json.loads(request)
                stack.enter_context(speaking(self._language(message)))
                answer = self._answer(message)
            except Problem as problem:
                answer = {"problem": problem.sentence, "field": problem.field}
            except MemoryError:
                raise
            except Exception as error:  # the page must get a sentence, whatever happened
                kind = type(error).__name__
                sentence = say("The model stopped with {kind}: {error}. Please report it.", kind=kind, error=error)
                answer = {"problem": sentence, "field": ""}
        text = json.dumps(answer, ensure_ascii=False, separators=(",", ":"))
        return text.encode(errors="replace").decode()  # half of a character, as a text area may hold, is none in a page

    def _language(self, message: Message) -> Language:
        tag = str(message.get("lang") or ENGLISH.tag)
        if tag not in self._languages:
            from lab.catalogue import language_named  # a page in English need not even load it

            self._languages[tag] = language_named(tag)
        return self._languages[tag]

    def _answer(self, message: Message) -> Message:
        operations = {"hello": self._hello, "view": self._view, "frame": self._frame, "panel": self._panel}
        operation = str(message.get("op"))
        if operation not in operations:
            raise given("op", operation, ", ".join(operations))
        return operations[operation](message)

    def _hello(self, message: Message) -> Message:
        return {"python": ".".join(str(part) for part in sys.version_info[:3])}

    def _view(self, message: Message) -> Message:
        widget, scene = self._scene(message)
        step, notice = widget.step(message.get("step"), scene.count, bool(message.get("keep")))
        return {"view": view(scene), "step": step, "frame": frame_json(scene.frame(step)), "notice": notice}

    def _frame(self, message: Message) -> Message:
        widget, scene = self._scene(message)
        step, notice = widget.step(message.get("step"), scene.count)
        if notice:
            raise Problem(notice)
        return {"frame": frame_json(scene.frame(step))}

    def _panel(self, message: Message) -> Message:
        _, scene = self._scene(message)
        name = str(message.get("panel"))
        if name not in scene.panels:
            raise given("panel", name, ", ".join(scene.panels) or "none")
        return {"html": scene.panels[name]()}

    def _scene(self, message: Message) -> tuple[Widget, Scene]:
        widget = widget_named(str(message.get("widget")))
        raw = {str(name): str(value) for name, value in dict(message.get("settings") or {}).items()}
        settings = read_settings(widget.controls, raw)
        place = (spoken().tag, widget.name, json.dumps(settings))
        scene = self._scenes.pop(place, None) or widget.scene(settings)
        self._scenes[place] = scene
        while len(self._scenes) > KEPT:
            del self._scenes[next(iter(self._scenes))]
        return widget, scene


def handle(request: str) -> str:
    """One request to a session of its own."""
    return Session().handle(request)
