"""The code editor of pages that hold a reader's program: CodeMirror, bundled into one script by esbuild, once."""

import subprocess
import tempfile
from pathlib import Path

from builder.assets import Assets, normal_bytes
from builder.cache import cached
from builder.environment import node_programs

SOURCE = "site/static/editor.mjs"
MARK = 'data-kind="code"'


def editor_place(root: Path, article: str, assets: Assets) -> str:
    """The place of the editor's script for a page that needs it, else nothing."""
    if MARK not in article:
        return ""
    source = root / SOURCE
    parts = [normal_bytes(source), normal_bytes(root / "site" / "package-lock.json")]
    return assets.add("editor.js", cached(root / ".cache", "editor.js", parts, lambda: _bundle(root, source)))


def _bundle(root: Path, source: Path) -> bytes:
    print("Bundling the page's code editor, once …")
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "editor.js"
        esbuild = root / "site" / "node_modules" / "esbuild" / "bin" / "esbuild"
        options = ["--bundle", "--minify", "--format=iife", "--target=es2022", "--log-level=error", "--charset=utf8"]
        command = [str(node_programs(root)[0]), str(esbuild), str(source), *options, f"--outfile={output}"]
        done = subprocess.run(command, cwd=root / "site", capture_output=True, stdin=subprocess.DEVNULL)
        if done.returncode:
            raise RuntimeError("esbuild could not bundle the editor: " + done.stderr.decode("utf-8", "replace"))
        return output.read_bytes()
