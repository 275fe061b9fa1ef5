"""The kernel file that runs on a GPU, as text: the page steps through it unmodified."""

from importlib.util import find_spec
from pathlib import PurePath


def teaching_source() -> str:
    """The whole of ``gpu/teaching.py``, which travels to the browser beside this package. ``gpu`` is not imported."""
    spec = find_spec("gpu")
    if spec is None or spec.origin is None or spec.loader is None:
        raise FileNotFoundError("gpu/teaching.py is not beside this package")
    data: bytes = spec.loader.get_data(str(PurePath(spec.origin).with_name("teaching.py")))  # type: ignore[attr-defined]
    return data.decode("utf-8")
