"""The one door between a page and Python: JSON text in, JSON text out.

A Session keeps the scenes that were opened last, so that stepping through a long trace does not make it anew.
Whatever goes wrong comes back as ``{"problem": sentence}``; no traceback reaches a reader. Only a MemoryError goes
through: this Python is of no more use, and the page starts another one.
"""

import json
import sys
from typing import Any

from lab.controls import read_settings
from lab.problem import Problem, given
from lab.registry import widget_named
from lab.views import frame_json, view
from lab.widget import Scene, Widget

KEPT = 8

Message = dict[str, Any]


class Session:
    """Answers requests, remembering the last few scenes."""

    def __init__(self) -> None:
        self._scenes: dict[tuple[str, str], Scene] = {}

    def handle(self, request: str) -> str:
        """The answer to one request, both JSON text. Raises MemoryError when there is no room for one."""
        try:
            answer = self._answer(json.loads(request))
        except Problem as problem:
            answer = {"problem": problem.sentence, "field": problem.field}
        except MemoryError:
            raise
        except Exception as error:  # the page must get a sentence, whatever happened
            answer = {
                "problem": f"The model stopped with {type(error).__name__}: {error}. Please report it.",
                "field": "",
            }
        text = json.dumps(answer, ensure_ascii=False, separators=(",", ":"))
        return text.encode(errors="replace").decode()  # half of a character, as a text area may hold, is none in a page

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
        place = (widget.name, json.dumps(settings))
        scene = self._scenes.pop(place, None) or widget.scene(settings)
        self._scenes[place] = scene
        while len(self._scenes) > KEPT:
            del self._scenes[next(iter(self._scenes))]
        return widget, scene


def handle(request: str) -> str:
    """One request to a session of its own."""
    return Session().handle(request)
