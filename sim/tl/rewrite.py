"""A kernel function's syntax tree, changed so that Python runs it as Triton's compiler means it; lines stay the same.

`and`, `or`, `not` work lane by lane; a number that is assigned becomes a scalar tile; range, min and max are Triton's;
loops tell when they start, turn and end. In the traced version every statement says so before it runs.
"""

import ast
from dataclasses import dataclass

from sim.tl.branches import Names, is_static_range, surely_bound, unequal

SIM = "__sim__"  # the helper object; every other name that is added starts with it as well
FRAME, LOOP, VALUE, BRANCH = "__sim__frame", "__sim__loop", "__sim__value", "__sim__branch"
BUILTINS = ("range", "min", "max", "print", "int", "float", "abs", "isinstance")


@dataclass(frozen=True)
class Statement:
    """Where a statement stands: first and last line, and the lines of the loops around it, outermost first."""

    line: int
    end_line: int
    loops: tuple[int, ...]


@dataclass(frozen=True)
class Rewritten:
    """The factory's tree (``factory(__sim__, *free)`` gives the function) and its statements by number."""

    tree: ast.Module
    statements: tuple[Statement, ...]


def rewritten(
    node: ast.FunctionDef, names: Names, free: tuple[str, ...], shadowed: set[str], wrapped: set[str], traced: bool
) -> Rewritten:
    """Changes ``node``, whose names are ``names``.

    ``free`` are the names that the function takes from around it, ``shadowed`` the built-in names that its file
    defines, ``wrapped`` the global names that hold a tl.constexpr.
    """
    work = _Rewriter(shadowed | names.stores.keys() | names.parameters, wrapped, traced, names)
    node.body = work.block(node.body, ())
    if traced:
        node.body[:0] = [_keep(FRAME, "frame", [], node.body[0])]
        node.body += [_tell("at", [_name(FRAME), ast.Constant(-1)], node.body[-1])]
    node.decorator_list, node.returns = [], None
    for argument in _arguments(node):
        argument.annotation = None
    node.args.defaults, node.args.kw_defaults = [], [None] * len(node.args.kwonlyargs)
    node.name = f"{SIM}function"  # so that its own name still means the kernel function
    factory = ast.parse(f"def factory({', '.join((SIM, *free))}):\n    return {node.name}")
    outer = factory.body[0]
    assert isinstance(outer, ast.FunctionDef)
    outer.body.insert(0, node)
    return Rewritten(ast.fix_missing_locations(factory), tuple(work.statements))


def _arguments(node: ast.FunctionDef) -> list[ast.arg]:
    extra = [arg for arg in (node.args.vararg, node.args.kwarg) if arg is not None]
    return [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs, *extra]


def _name(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())


def _tell(name: str, arguments: list[ast.expr], where: ast.stmt) -> ast.stmt:
    """``__sim__.name(*arguments, locals())`` on the line of ``where``."""
    return _at(ast.Expr(_with_locals(name, arguments)), where)


def _keep(target: str, name: str, arguments: list[ast.expr], where: ast.stmt) -> ast.stmt:
    """``target = __sim__.name(*arguments, locals())`` on the line of ``where``."""
    return _at(ast.Assign([ast.Name(target, ast.Store())], _with_locals(name, arguments)), where)


def _with_locals(name: str, arguments: list[ast.expr]) -> ast.Call:
    function = ast.Attribute(_name(SIM), name, ast.Load())
    return ast.Call(function, [*arguments, ast.Call(_name("locals"), [], [])], [])


def _at(node: ast.stmt, where: ast.stmt) -> ast.stmt:
    """The inner nodes take their place from this one, in ``fix_missing_locations``."""
    node.lineno = node.end_lineno = where.lineno
    node.col_offset = node.end_col_offset = where.col_offset
    return node


def _call(name: str, arguments: list[ast.expr], where: ast.AST) -> ast.Call:
    target = ast.Attribute(ast.Name(SIM, ast.Load()), name, ast.Load())
    return ast.copy_location(ast.Call(target, arguments, []), where)


def _is_text(node: ast.stmt) -> bool:
    """A docstring: nothing happens there."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, (int, float))


class _Rewriter(ast.NodeTransformer):
    def __init__(self, local: set[str], wrapped: set[str], traced: bool, names: Names) -> None:
        self.local, self.wrapped, self.traced, self.names = local, wrapped, traced, names
        self.statements: list[Statement] = []
        self.loops = 0
        self.values = self.branches = 0

    def block(self, body: list[ast.stmt], loops: tuple[int, ...]) -> list[ast.stmt]:
        out: list[ast.stmt] = []
        for node in body:
            if self.traced and not _is_text(node):
                out += self._at(node, loops)
            out += self._statement(node, loops)
        return out

    def _at(self, node: ast.stmt, loops: tuple[int, ...]) -> list[ast.stmt]:
        number = len(self.statements)
        inner = getattr(node, "body", None)
        last = inner[0].lineno - 1 if inner else node.end_lineno or node.lineno
        self.statements.append(Statement(node.lineno, max(node.lineno, last), loops))
        return [_tell("at", [_name(FRAME), ast.Constant(number)], node)]

    def _statement(self, node: ast.stmt, loops: tuple[int, ...]) -> list[ast.stmt]:
        if isinstance(node, (ast.For, ast.While)):
            return self._loop(node, loops)
        if isinstance(node, ast.If):
            return self._branch(node, loops)
        if isinstance(node, ast.With):
            node.body = self.block(node.body, loops)
            return [node]
        if isinstance(node, ast.Assert):
            message = node.msg or ast.copy_location(ast.Constant(""), node)
            call = _call("check", [self.visit(node.test), message], node)
            return [ast.copy_location(ast.Expr(call), node)]
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            left = ast.copy_location(ast.Name(node.target.id, ast.Load()), node.target)
            total = ast.copy_location(ast.BinOp(left, node.op, self.visit(node.value)), node)
            return [ast.copy_location(ast.Assign([node.target], _call("assigned", [total], node)), node)]
        if isinstance(node, ast.Assign):
            node.value = _call("assigned", [self.visit(node.value)], node.value)
            return [node]
        if isinstance(node, ast.AnnAssign) and node.value is not None:
            known = "constexpr" in ast.unparse(node.annotation)
            value = _call("known" if known else "assigned", [self.visit(node.value)], node.value)
            return [ast.copy_location(ast.Assign([node.target], value), node)]
        return [self.visit(node)]

    def _branch(self, node: ast.If, loops: tuple[int, ...]) -> list[ast.stmt]:
        """The condition goes through the helper when names leave the branch, and so do they."""
        then, other = self.names.bound_in(node.body), self.names.bound_in(node.orelse)
        live, mixed, lost = self.names.live_before(node), unequal(node), self.names.one_sided(node)
        both = surely_bound(node.body) & surely_bound(node.orelse)
        here = (lost, mixed, sorted((then | other) & live), sorted(both - live), node.lineno)
        node.test = self.visit(node.test)
        node.body, node.orelse = self.block(node.body, loops), self.block(node.orelse, loops)
        if not then | other:
            return [node]
        self.branches += 1
        state = f"{BRANCH}{self.branches}"
        told = ast.parse(repr(here), mode="eval").body
        assert isinstance(told, ast.Tuple)
        start = _keep(state, "branch_start", [node.test, *told.elts], node)
        node.test = ast.copy_location(ast.Attribute(_name(state), "condition", ast.Load()), node.test)
        return [start, node, _tell("branch_end", [_name(state)], node)]

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        self.generic_visit(node)
        self.branches += 1
        state, literals = f"{BRANCH}{self.branches}", (node.body, node.orelse)
        mixed = all(map(_is_number, literals)) and len({type(part.value) for part in literals}) > 1  # type: ignore[attr-defined]
        place = [ast.Constant(mixed), ast.Constant(node.lineno), ast.Constant(node.col_offset)]
        keep = _call("ternary", [node.test, *place], node.test)
        node.test = ast.copy_location(ast.NamedExpr(ast.Name(state, ast.Store()), keep), node.test)
        node.test = ast.copy_location(ast.Attribute(node.test, "condition", ast.Load()), node.test)
        node.body, node.orelse = (_call("one_way", [_name(state), part], part) for part in literals)
        return node

    def _loop(self, node: ast.For | ast.While, loops: tuple[int, ...]) -> list[ast.stmt]:
        number, header = self.loops, len(self.statements) - 1
        self.loops += 1
        static = isinstance(node, ast.For) and is_static_range(node)
        carried = () if static else self.names.carried(node)
        state = f"{LOOP}{number}"
        known = ast.Tuple([ast.Constant(name) for name in carried], ast.Load())
        start = _keep(state, "loop_start", [ast.Constant(node.lineno), known], node)
        if isinstance(node, ast.For):
            node.iter = self.visit(node.iter)
        else:
            node.test = self.visit(node.test)
        first, last = node.body[0], node.body[-1]
        body = self.block(node.body, (*loops, node.lineno))
        node.body = [_tell("turn", [_name(state)], first), *body]
        if self.traced:
            node.body.append(_tell("at", [_name(FRAME), ast.Constant(header)], last))
        node.orelse = self.block(node.orelse, loops)
        return [start, node, _tell("loop_end", [_name(state)], last)]

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        word = "and" if isinstance(node.op, ast.And) else "or"
        out: ast.expr = self.visit(node.values[0])
        for value in node.values[1:]:
            self.values += 1
            name = f"{VALUE}{self.values}"
            keep = ast.NamedExpr(ast.Name(name, ast.Store()), out)
            left = ast.Name(name, ast.Load())
            both = _call(f"both_{word}", [left, self.visit(value)], node)
            out = ast.IfExp(_call(f"more_{word}", [keep], node), both, ast.Name(name, ast.Load()))
            ast.copy_location(out, node)
        return out

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        return _call("negation", [node.operand], node) if isinstance(node.op, ast.Not) else node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        return _call("value_of", [node.value], node) if node.attr == "value" else node

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if not isinstance(node.ctx, ast.Load) or node.id in self.local:
            return node
        if node.id in BUILTINS:
            target = ast.Attribute(ast.copy_location(ast.Name(SIM, ast.Load()), node), node.id + "_", ast.Load())
            return ast.copy_location(target, node)
        return _call("plain", [node], node) if node.id in self.wrapped else node
