"""Put one question to a fresh process, and understand every way in which it may not answer.

A reply is a dict with a `state`:

    answered    what the question's `answer()` returned stands beside it
    missing     `module` is not installed
    raised      `error` is the exception, in one line
    ended       Python itself ended with `status`; `words` is the last that it wrote
    silent      no answer within `seconds`
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any, Dict  # noqa: UP035 (old Pythons read this file too)

Reply = Dict[str, Any]  # noqa: UP006

ROOT = Path(__file__).resolve().parents[2]
FOLDER = Path(__file__).resolve().parent / "ask"
PATIENCE_S = 180  # a first import of PyTorch from a slow disk takes a minute
MARK = "GPU-LAB-ANSWER "
# The current folder stays on the path, as it is for a person's own script: a torch.py lying there is found as well.
RUNNER = """
import json, runpy, sys
try:
    told = dict(runpy.run_path(sys.argv[1])["answer"](), state="answered")
except ModuleNotFoundError as error:
    told = {"state": "missing", "module": error.name or str(error)}
except Exception as error:
    words = (str(error).strip() or "no message").splitlines()[0]
    told = {"state": "raised", "error": type(error).__name__ + ": " + words}
print("\\n" + sys.argv[2] + json.dumps(told), flush=True)
"""


def ask(question: str, seconds: float = PATIENCE_S, **changes: str | None) -> Reply:
    """The reply to ask/QUESTION.py. `changes` are environment variables to set, or to unset with None."""
    command = [sys.executable, "-c", RUNNER, str(FOLDER / f"{question}.py"), MARK]
    done = run(command, seconds, **changes)
    if done["state"] != "ended":
        return done
    for line in reversed(done["out"].splitlines()):
        if line.startswith(MARK):
            return {**json.loads(line[len(MARK) :]), "words": done["words"], "heard": done["heard"]}
    return done


def run(command: list[str], seconds: float = PATIENCE_S, **changes: str | None) -> Reply:
    """Run a program to its end: state `ended` with `status`, `out`, `heard` (all it wrote) and `words` (its last line).

    State `missing` when it cannot be started, `silent` when it was ended after `seconds`.
    """
    environment: dict[str, Any] = {**os.environ, "PYTHONIOENCODING": "utf-8", **changes}
    environment = {name: value for name, value in environment.items() if value is not None}
    pipe = subprocess.PIPE
    try:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe, env=environment, start_new_session=True
        )
    except OSError as error:
        return {"state": "missing", "module": command[0], "error": str(error)}
    try:
        out, err = (text.decode("utf-8", "replace") for text in process.communicate(timeout=seconds))
    except subprocess.TimeoutExpired:
        end(process)
        return {"state": "silent", "seconds": seconds}
    except BaseException:  # Ctrl+C, for one: leave nothing running behind
        end(process)
        raise
    heard = f"{out}\n{err}"
    words = [line.strip() for line in heard.splitlines() if line.strip() and not line.startswith(MARK)]
    return {
        "state": "ended", "status": process.returncode, "out": out, "heard": heard,
        "words": words[-1] if words else "no message",
    }  # fmt: skip


def end(process: subprocess.Popen[bytes]) -> None:
    """End a process and, where the system can, all that it started."""
    try:
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    except OSError:
        pass  # it has ended by itself
    process.wait()


def in_words(reply: Reply) -> str:
    """A reply that is no answer, in words that end a sentence."""
    state = reply["state"]
    if state == "missing":
        return f"{reply['module']} is missing"
    if state == "raised":
        return str(reply["error"]).rstrip(".")
    if state == "silent":
        return f"no answer within {reply['seconds']:g} s"
    if reply["status"] < 0:
        return f"the process was ended by signal {-reply['status']}"
    return f"the process ended with status {reply['status']}: {reply['words']}".rstrip(".")
