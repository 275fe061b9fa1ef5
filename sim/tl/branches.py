"""Which names a branch or a loop leaves behind, read off the syntax tree."""

import ast

Block = ast.For | ast.While | ast.If


def is_static_range(node: ast.For) -> bool:
    """Whether a loop is unrolled by the compiler."""
    function = node.iter.func if isinstance(node.iter, ast.Call) else None
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    return name == "static_range"


class Names:
    """The names of one function: who uses them where. Lines are those of its file."""

    def __init__(self, function: ast.FunctionDef) -> None:
        self.parameters = {part.arg for part in ast.walk(function.args) if isinstance(part, ast.arg)}
        self.blocks: list[Block] = []
        self.uses: dict[str, list[ast.Name]] = {}
        self.stores: dict[str, list[int]] = {}
        for statement in function.body:
            for part in ast.walk(statement):
                if isinstance(part, ast.Name):
                    self.uses.setdefault(part.id, []).append(part)
                    if isinstance(part.ctx, ast.Store):
                        self.stores.setdefault(part.id, []).append(part.lineno)
                elif isinstance(part, (ast.For, ast.While, ast.If)):
                    self.blocks.append(part)

    def bound_in(self, body: list[ast.stmt]) -> set[str]:
        """Names that statements in a row bind."""
        if not body:
            return set()
        first, last = body[0].lineno, body[-1].end_lineno or body[-1].lineno
        return {name for name, lines in self.stores.items() if any(first <= line <= last for line in lines)}

    def carried(self, loop: ast.For | ast.While) -> tuple[str, ...]:
        """Names that the loop binds and that are there when it begins: not those that an ended loop left behind."""
        around = [block for block in self.blocks if isinstance(block, (ast.For, ast.While)) and _holds(block, loop)]
        ended = [block for block in self.blocks if _is_dynamic(block) and block not in around]
        out = []
        for name in sorted(self.bound_in(loop.body)):
            before = [line for line in self.stores[name] if line < loop.lineno]
            if name in self.parameters or any(not _inside(line, ended) for line in before):
                out.append(name)
        return tuple(out)

    def lost(self, block: Block, names: set[str]) -> list[tuple[str, int]]:
        """(name, line of its use) of those ``names`` that ``block`` binds first and that are read after it."""
        out = []
        for name in sorted(names - self.parameters):
            use = self._first_read_after(block, name)
            if use is not None and not any(self._binds_before(other, use) for other in self.blocks):
                out.append((name, use.lineno))
        return out

    def _first_read_after(self, block: Block, name: str) -> ast.Name | None:
        if any(line < block.lineno for line in self.stores[name]):
            return None
        after = [use for use in self.uses[name] if use.lineno > (block.end_lineno or block.lineno)]
        first = min(after, key=lambda use: (use.lineno, isinstance(use.ctx, ast.Store)), default=None)
        return first if first is not None and isinstance(first.ctx, ast.Load) else None

    def _binds_before(self, block: Block, use: ast.Name) -> bool:
        """Whether the use is inside of ``block`` and the block binds the name before it."""
        if not block.lineno <= use.lineno <= (block.end_lineno or 0):
            return False
        return any(block.lineno <= line < use.lineno for line in self.stores[use.id])

    def live_before(self, node: ast.If) -> set[str]:
        """Names that surely hold a value when ``node`` begins: bound above it, in nothing that has ended."""
        around = [body for body in self._bodies() if _covers(body, node.lineno)]
        ended = [body for body in self._bodies() if body not in around]
        found = set(self.parameters)
        for name, lines in self.stores.items():
            if any(line < node.lineno and not any(_covers(body, line) for body in ended) for line in lines):
                found.add(name)
        return found

    def _bodies(self) -> list[list[ast.stmt]]:
        """The statements under every loop and under each side of every branch."""
        return [body for block in self.blocks for body in (block.body, block.orelse) if body]

    def one_sided(self, node: ast.If) -> list[tuple[str, int]]:
        """(name, line of its use) of names that only one side binds: gone after the branch when a tile decides."""
        return self.lost(node, self.bound_in(node.body) ^ self.bound_in(node.orelse))


def _is_dynamic(block: Block) -> bool:
    return isinstance(block, ast.While) or (isinstance(block, ast.For) and not is_static_range(block))


def _covers(body: list[ast.stmt], line: int) -> bool:
    return body[0].lineno <= line <= (body[-1].end_lineno or body[-1].lineno)


def _holds(block: Block, inner: Block) -> bool:
    return block is not inner and block.lineno <= inner.lineno <= (block.end_lineno or 0)


def _inside(line: int, blocks: list[Block]) -> bool:
    return any(block.body[0].lineno <= line <= (block.end_lineno or 0) for block in blocks)


def surely_bound(body: list[ast.stmt]) -> set[str]:
    """Names that hold a value behind these statements whichever way they go; what a loop binds first is gone."""
    found: set[str] = set()
    for node in body:
        if isinstance(node, ast.If):
            found |= surely_bound(node.body) & surely_bound(node.orelse)
        elif not isinstance(node, (ast.For, ast.While)):
            stored = (part for part in ast.walk(node) if isinstance(part, ast.Name))
            found |= {part.id for part in stored if isinstance(part.ctx, ast.Store)}
    return found


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
