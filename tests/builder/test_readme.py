"""README.md: the chapter that it shows an author builds as it stands."""

import re
from pathlib import Path

from tests.builder.conftest import Author

GLOSSARY = "---\ntitle: Glossary\ndescription: Words.\n---\n\n## Tile\n\nA rectangle.\n"
ENTRY = """\
[[download]]
kind = "program"
file = "downloads/opening.py"
what = "A product."
needs = "PyTorch"
run = "python opening.py"
shown = ["02-name.md"]
checked = "by hand"
"""


def test_the_chapter_of_the_readme_builds(author: Author, root: Path) -> None:
    readme = (root / "README.md").read_text(encoding="utf-8")
    (chapter,) = re.findall(r"^````markdown\n(.*?)^````$", readme, re.MULTILINE | re.DOTALL)
    author.write("chapters/02-name.md", chapter)
    author.write("chapters/glossary.md", GLOSSARY)
    author.write("downloads/opening.py", (root / "downloads" / "opening.py").read_bytes())
    author.write("downloads/manifest.toml", ENTRY)
    assert author.mistakes() == []
    page = author.page("name.html")
    assert "<summary>144</summary>" in page and "<summary>432</summary>" in page  # 2 · 6³ / 3, and 2 · 6³
    assert '<details class="notes teacher">' in page and "128</th><td>that is 2 · n³ undivided" in page
