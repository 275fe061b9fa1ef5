"""Writing the site's folder: only what changed, pages last, and nothing that is not the build's own removed."""

from pathlib import Path

from builder.cache import write_whole

LIST = ".gpu-lab-files"


class OutputError(Exception):
    """The folder is not one that the build may write; one sentence."""


def write_site(folder: Path, files: dict[str, bytes]) -> None:
    """Make `folder` hold exactly `files` (by place), next to whatever somebody else put there.

    Pages come after what they load, and old files go last, so that a reader in between meets no hole.
    """
    before = own_files(folder)
    for place in sorted(files, key=lambda place: (place.endswith(".html"), place)):
        path = folder / place
        if not (path.is_file() and path.stat().st_size == len(files[place]) and path.read_bytes() == files[place]):
            write_whole(path, files[place])
    for place in before - set(files):
        (folder / place).unlink(missing_ok=True)
        remove_empty(folder, (folder / place).parent)
    write_whole(folder / LIST, "".join(f"{place}\n" for place in sorted(files)).encode())


def own_files(folder: Path) -> set[str]:
    """The places that an earlier build wrote. Raises OutputError for a folder with somebody else's files only."""
    if folder.exists() and not folder.is_dir():
        raise OutputError(f"--out {folder} given, which is a file; allowed: a folder")
    if not folder.is_dir() or not any(folder.iterdir()):
        return set()
    try:
        places = (folder / LIST).read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        reason = "a new folder, an empty one, or one that this command made"
        raise OutputError(f"--out {folder} given, which holds other files; allowed: {reason}") from None
    inside = folder.resolve()
    return {place for place in places if (folder / place).resolve().is_relative_to(inside)}


def remove_empty(folder: Path, parent: Path) -> None:
    """Remove folders that an old file left empty."""
    while parent != folder and parent.is_dir() and not any(parent.iterdir()):
        parent.rmdir()
        parent = parent.parent
