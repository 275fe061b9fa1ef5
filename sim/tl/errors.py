"""What can be wrong with a kernel, as sentences with a place."""


class KernelError(Exception):
    """The kernel asks for something that cannot be done; ``line`` is known once the launch has looked it up.

    ``kind`` is a short word for tables: "error", "refused" (the compiler refuses it), "unknown name", "step limit".
    """

    def __init__(self, text: str, kind: str = "error", line: int | None = None) -> None:
        super().__init__(text)
        self.text = text
        self.kind = kind
        self.line = line


class UnknownName(KernelError, AttributeError):
    """A name that this part of Triton does not have here; never a stand-in that lets things pass."""

    def __init__(self, name: str, where: str) -> None:
        KernelError.__init__(self, f"{where} has no {name} here", kind="unknown name")


class StepLimit(KernelError):
    """The launch took more loop passes, calls and programs than it was allowed."""

    def __init__(self, limit: int) -> None:
        super().__init__(
            f"stopped after {limit} steps (loop passes, calls and programs); is there a loop without an end?",
            kind="step limit",
        )
