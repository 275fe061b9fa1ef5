"""What the site offers for download: files, their notebooks, and one zip of it all."""

from dataclasses import dataclass, field
from pathlib import PurePosixPath

from builder.record import Record


@dataclass(frozen=True)
class Download:
    """One offered file.

    `kind` is "program" for what runs by itself, "model" for a part of the lab's own packages. `file` is its place in
    the repository, `name` its name in the site, `what`, `needs` and `checked` one short sentence each, `run` its
    command, `shown` the chapters' files that offer it, `packages` what it imports, `result` the stored result that
    measured it, as `measured` says. `notebook` is empty for what has none.
    """

    kind: str
    name: str
    file: str
    what: str
    needs: str
    run: str
    shown: tuple[str, ...]
    checked: str
    data: bytes
    packages: tuple[str, ...] = ()
    result: str = ""
    measured: str = ""
    notebook: bytes = b""

    @property
    def text(self) -> str:
        """The file as text, without BOM, lines ended by one newline."""
        return self.data.decode("utf-8-sig").replace("\r\n", "\n")

    @property
    def notebook_name(self) -> str:
        """`opening.py` has `opening.ipynb`."""
        return PurePosixPath(self.name).with_suffix(".ipynb").name


@dataclass(frozen=True)
class Downloads:
    """Everything offered, by its name in the site; `bundle` is the zip of it all, by its name."""

    by_name: dict[str, Download]
    record: Record = field(default_factory=Record)
    bundle: dict[str, bytes] = field(default_factory=dict)

    def of_file(self, file: str) -> Download | None:
        """The download whose source is `file`, a path relative to the repository."""
        return next((entry for entry in self.by_name.values() if entry.file == file), None)

    @property
    def notebooks(self) -> dict[str, bytes]:
        """The notebooks, by name."""
        return {entry.notebook_name: entry.notebook for entry in self.by_name.values() if entry.notebook}

    @property
    def files(self) -> dict[str, bytes]:
        """Every file that a reader may download, by its name: files, notebooks and the zip."""
        return {name: entry.data for name, entry in self.by_name.items()} | self.notebooks | self.bundle
