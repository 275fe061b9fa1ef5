"""Which names a branch or a loop leaves behind, read off the syntax tree."""

import ast

Block = ast.For | ast.While | ast.If


def assigned_names(node: ast.AST) -> set[str]:
    """Every name that is bound somewhere inside ``node``."""
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}


def is_static_range(node: ast.For) -> bool:
    """Whether a loop is unrolled by the compiler."""
    function = node.iter.func if isinstance(node.iter, ast.Call) else None
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    return name == "static_range"


class Names:
    """The names of one function: who uses them where."""

    def __init__(self, function: ast.FunctionDef) -> None:
        parts = list(ast.walk(function))
        self.parameters = {part.arg for part in ast.walk(function.args) if isinstance(part, ast.arg)}
        self.blocks: list[Block] = [part for part in parts if isinstance(part, (ast.For, ast.While, ast.If))]
        self.uses: dict[str, list[ast.Name]] = {}
        for part in parts:
            if isinstance(part, ast.Name):
                self.uses.setdefault(part.id, []).append(part)

    def lost(self, block: Block, names: set[str]) -> list[tuple[str, int]]:
        """(name, line of its use) of those ``names`` that ``block`` binds first and that are read after it."""
        out = []
        for name in sorted(names - self.parameters):
            use = self._first_read_after(block, name)
            if use is not None and not any(self._binds_before(other, use) for other in self.blocks):
                out.append((name, use.lineno))
        return out

    def _first_read_after(self, block: Block, name: str) -> ast.Name | None:
        uses = self.uses[name]
        if any(isinstance(use.ctx, ast.Store) and use.lineno < block.lineno for use in uses):
            return None
        after = [use for use in uses if use.lineno > (block.end_lineno or block.lineno)]
        first = min(after, key=lambda use: (use.lineno, isinstance(use.ctx, ast.Store)), default=None)
        return first if first is not None and isinstance(first.ctx, ast.Load) else None

    def _binds_before(self, block: Block, use: ast.Name) -> bool:
        """Whether the use is inside of ``block`` and the block binds the name before it."""
        if not block.lineno <= use.lineno <= (block.end_lineno or 0):
            return False
        stores = [other for other in self.uses[use.id] if isinstance(other.ctx, ast.Store)]
        return any(block.lineno <= store.lineno < use.lineno for store in stores)


def one_sided(names: Names, node: ast.If) -> list[tuple[str, int]]:
    """(name, line of its use) of names that only one branch binds: gone after the branch when a tile decides."""
    then, other = assigned_names(ast.Module(node.body, [])), assigned_names(ast.Module(node.orelse, []))
    return names.lost(node, then ^ other)


def unequal(node: ast.If) -> list[str]:
    """Names that the branches bind to numbers of different types."""
    then, other = _literals(node.body), _literals(node.orelse)
    return sorted(name for name in then.keys() & other.keys() if then[name] is not other[name])


def _literals(body: list[ast.stmt]) -> dict[str, type]:
    found: dict[str, type] = {}
    for part in body:
        if isinstance(part, ast.Assign) and isinstance(part.targets[0], ast.Name):
            if isinstance(part.value, ast.Constant) and isinstance(part.value.value, (int, float)):
                found[part.targets[0].id] = type(part.value.value)
            else:
                found.pop(part.targets[0].id, None)
    return found
