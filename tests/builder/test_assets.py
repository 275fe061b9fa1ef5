"""The files of the pages: the style sheet that each page holds."""

from pathlib import Path

from builder.assets import style_sheet
from builder.mistakes import Mistakes


def test_what_the_style_sheet_names_is_written_into_it(tmp_path: Path) -> None:
    (tmp_path / "lab.css").write_text('p {\n  background: url("dot.svg") 0 0, url(data:image/png;base64,AA);\n}\n')
    (tmp_path / "dot.svg").write_bytes(b"<svg/>\r\n")
    mistakes = Mistakes()
    assert style_sheet(tmp_path, mistakes) == (
        "p {\n  background: url(data:image/svg+xml;base64,PHN2Zy8+Cg==) 0 0, url(data:image/png;base64,AA);\n}\n"
    )
    mistakes.stop_if_any()


def test_file_that_the_style_sheet_names_must_be_there(tmp_path: Path) -> None:
    (tmp_path / "lab.css").write_text("a {}\np {\n  background: url(dot.png);\n}\n")
    (tmp_path / "dot.svg").write_bytes(b"<svg/>")
    mistakes = Mistakes()
    style_sheet(tmp_path, mistakes)
    assert [str(mistake) for mistake in mistakes.found] == [
        "site/static/lab.css:3: url(dot.png) given; allowed: a file beside it: dot.svg, lab.css"
    ]
