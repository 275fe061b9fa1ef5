"""What Triton 3.7's compiler refuses in the way a kernel is written, found by reading the function.

Each rule has a test that compiles a kernel that breaks it and one that keeps it, with the real compiler.
"""

import ast
import types
from collections.abc import Callable, Mapping
from typing import Any

from sim.tl.branches import Names, is_static_range
from sim.tl.constexpr import CONSTANTS
from sim.tl.dtypes import DType
from sim.tl.machine import Machine
from sim.tl.source import definition

SYNTAX: dict[type[ast.AST], tuple[str, str]] = {
    ast.Break: ("break", "`break`; the compiler has no early way out of a loop"),
    ast.Continue: ("continue", "`continue`; the compiler has no way to skip the rest of a pass"),
    ast.Lambda: ("lambda", "a lambda"),
    ast.Dict: ("dict", "a dict"),
    ast.Set: ("set", "a set"),
    ast.DictComp: ("dict", "a dict comprehension"),
    ast.SetComp: ("set", "a set comprehension"),
    ast.GeneratorExp: ("generator", "a generator"),
    ast.Try: ("try", "`try`"),
    ast.Raise: ("raise", "`raise`"),
    ast.Import: ("import", "`import` inside a kernel"),
    ast.ImportFrom: ("import", "`import` inside a kernel"),
    ast.Global: ("global", "`global`"),
    ast.Nonlocal: ("global", "`nonlocal`"),
    ast.Delete: ("del", "`del`"),
    ast.ClassDef: ("class", "a class inside a kernel"),
    ast.Yield: ("yield", "`yield`"),
    ast.NamedExpr: ("walrus", "an assignment inside an expression (:=)"),
    ast.Match: ("match", "`match`"),
    ast.MatMult: ("matmul operator", "the @ operator; use tl.dot"),
    ast.In: ("in", "`in`"),
    ast.NotIn: ("in", "`not in`"),
}
KNOWN_ATTRIBUTES = {"dtype", "type", "shape", "numel", "value"}
TILE_MAKERS = {"program_id", "num_programs", "load", "sum", "max", "min", "atomic_add", "atomic_cas", "atomic_xchg"}
KNOWN_BUILTINS = {
    "len", "list", "range", "float", "int", "isinstance", "getattr", "hasattr", "print", "min", "max",
}  # fmt: skip


def check_function(machine: Machine, function: Callable[..., Any], names: Names, known: Mapping[str, Any]) -> None:
    """Hand every broken rule to ``machine.rule``; ``known`` are the parameters that are known when compiling."""
    node = definition(machine, function)
    around = dict(function.__globals__)
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        around[name] = cell.cell_contents
    _Reader(machine, around, known, names).function(node)


class _Reader(ast.NodeVisitor):
    """Walks the code that the compiler would see: branches that a known condition rules out are skipped."""

    def __init__(self, machine: Machine, around: dict[str, Any], known: Mapping[str, Any], names: Names) -> None:
        self.machine, self.around, self.known, self.names = machine, around, known, names
        self.local, self.parameters = names.stores.keys(), names.parameters
        self.unplain: set[str] = set()  # parameters that the compiler does not bind
        self.constants: set[str] = set()  # bound as name: tl.constexpr = ...
        self.loops: list[ast.For | ast.While] = []  # around what is read now, unrolled ones left out

    def function(self, node: ast.FunctionDef) -> None:
        extra = filter(None, (node.args.vararg, *node.args.kwonlyargs, node.args.kwarg))
        self.unplain = {parameter.arg for parameter in extra}
        self.block(node.body)
        self._loop_names()

    def broken(self, rule: str, node: ast.AST, text: str, legal: str = "") -> None:
        self.machine.rule(rule, text, legal, line=getattr(node, "lineno", 0))

    def block(self, body: list[ast.stmt]) -> None:
        for node in body:
            self.visit(node)
            if isinstance(node, ast.Return):
                break  # the compiler reads no further

    def generic_visit(self, node: ast.AST) -> None:
        found = SYNTAX.get(type(node))
        if found is not None:
            self.broken(found[0], node, f"{found[1]}: the compiler does not know it")
        super().generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        if isinstance(node.op, ast.MatMult):
            self.broken("matmul operator", node, f"{SYNTAX[ast.MatMult][1]}: the compiler does not know it")
        self.visit(node.left)
        self.visit(node.right)

    def visit_Compare(self, node: ast.Compare) -> None:
        if len(node.ops) > 1:
            self.broken("chained comparison", node, f"the chained comparison {ast.unparse(node)}", "(a < b) & (b < c)")
        for op in node.ops:
            if isinstance(op, (ast.In, ast.NotIn)):
                self.broken("in", node, f"{SYNTAX[type(op)][1]}: the compiler does not know it")
        for part in (node.left, *node.comparators):
            self.visit(part)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self.broken("nested function", node, f"a function inside a kernel ({node.name})", "a kernel function beside it")

    def visit_Assign(self, node: ast.Assign) -> None:
        if len(node.targets) > 1:
            self.broken("chained assignment", node, "a chained assignment (a = b = ...)", "one assignment a line")
        for target in node.targets:
            self._target(target)
        self.visit(node.value)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self._target(node.target)
        self.visit(node.value)

    def _target(self, target: ast.expr) -> None:
        if isinstance(target, (ast.Subscript, ast.Attribute)):
            what = "an element of a tile" if isinstance(target, ast.Subscript) else "an attribute"
            self.broken("assignment target", target, f"assigning to {what} ({ast.unparse(target)})", "tl.where")
        elif isinstance(target, ast.Name) and self.loops and target.id in self.known:
            text = f"{target.id} is known when compiling and assigned in a loop"
            self.broken("constexpr in a loop", self.loops[-1], text, f"another name that starts as {target.id}")
        elif isinstance(target, ast.Starred):
            self.broken("assignment target", target, "a starred target")
        elif isinstance(target, (ast.Tuple, ast.List)):
            for part in target.elts:
                self._target(part)

    def visit_If(self, node: ast.If) -> None:
        self.visit(node.test)
        value = self.value_of(node.test)
        if value is not _UNKNOWN:
            self.block(node.body if value else node.orelse)
            return
        if self.decided_by_a_tile(node.test):
            self.block(node.body)
            self.block(node.orelse)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        value = self.value_of(node.test)
        self.visit(node.test)
        dynamic = value is _UNKNOWN and self.decided_by_a_tile(node.test)
        if dynamic or (value is not _UNKNOWN and value):
            self.visit(node.body)
        if dynamic or (value is not _UNKNOWN and not value):
            self.visit(node.orelse)

    def visit_For(self, node: ast.For) -> None:
        if node.orelse:
            self.broken("loop else", node.orelse[0], "`else` of a loop")
        if not isinstance(node.iter, ast.Call):
            self.broken("loop over range", node, f"a loop over {ast.unparse(node.iter)}", "range or tl.static_range")
            return
        self.visit(node.iter)
        self._body(node, not is_static_range(node))

    def visit_While(self, node: ast.While) -> None:
        if node.orelse:
            self.broken("loop else", node.orelse[0], "`else` of a loop")
        self.visit(node.test)
        self._body(node, True)

    def _body(self, node: ast.For | ast.While, dynamic: bool) -> None:
        self.loops += [node] if dynamic else []
        self.block(node.body)
        self.loops = self.loops[:-1] if dynamic else self.loops

    def visit_Return(self, node: ast.Return) -> None:
        if self.loops:
            self.broken("return in a loop", node, "`return` inside a loop", "a condition around the rest")
        if node.value is not None:
            self.visit(node.value)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if isinstance(node.target, ast.Name) and "constexpr" in ast.unparse(node.annotation):
            self.constants.add(node.target.id)
        if node.value is not None:
            self.visit(node.value)

    def visit_Call(self, node: ast.Call) -> None:
        for keyword in node.keywords:
            if keyword.arg is None:
                self.broken("keyword dict", node, "**keywords in a call")
        super().generic_visit(node)

    def visit_Name(self, node: ast.Name) -> None:
        name = node.id
        if name in self.unplain:
            text = f"{name} is read; the compiler does not know *, ** and keyword-only parameters"
            self.broken("plain parameters", node, text, "a plain parameter, or a tuple")
        if not isinstance(node.ctx, ast.Load) or name in self.local or name in self.parameters:
            return
        if name not in self.around:
            builtins = self.around.get("__builtins__", {})
            table = builtins if isinstance(builtins, dict) else vars(builtins)
            if name not in KNOWN_BUILTINS and name in table:
                self.broken("names it knows", node, f"{name} is not defined for the compiler", f"tl.{name}, if any")
        elif not _allowed_global(self.around[name]) and name not in KNOWN_BUILTINS:
            self.broken(
                "global constexpr",
                node,
                f"the global name {name}: a kernel may read globals that are tl.constexpr only",
                f"{name} = tl.constexpr(...), or a parameter",
            )

    def value_of(self, test: ast.expr) -> Any:
        """The value of a condition that is made of values known when compiling only, else _UNKNOWN."""
        names = {part.id for part in ast.walk(test) if isinstance(part, ast.Name)}
        if any(isinstance(part, (ast.Call, ast.Attribute, ast.Subscript)) for part in ast.walk(test)):
            return _UNKNOWN
        if not names <= set(self.known) | {name for name in self.around if name not in self.local}:
            return _UNKNOWN
        try:
            return eval(compile(ast.Expression(test), "<condition>", "eval"), {**self.around, **self.known})
        except Exception:
            return _UNKNOWN

    def decided_by_a_tile(self, test: ast.expr) -> bool:
        """Whether a condition surely looks at a tile: at a name of one, and not at its type, its shape or for None."""
        todo: list[ast.AST] = [test]
        while todo:
            part = todo.pop()
            if isinstance(part, ast.Attribute) and part.attr in KNOWN_ATTRIBUTES:
                continue
            if isinstance(part, ast.Compare) and isinstance(part.ops[0], (ast.Is, ast.IsNot)):
                continue
            if isinstance(part, ast.Name) and self._holds_a_tile(part.id):
                return True
            if isinstance(part, ast.Call) and ast.unparse(part.func).rpartition(".")[2] in TILE_MAKERS:
                return True
            todo += ast.iter_child_nodes(part)
        return False

    def _holds_a_tile(self, name: str) -> bool:
        if name in self.local:
            return name not in self.constants
        return name in self.parameters and name not in self.known

    def _loop_names(self) -> None:
        """A name that a loop binds first is gone after the loop."""
        for loop in self.names.blocks:
            if isinstance(loop, ast.If) or (isinstance(loop, ast.For) and is_static_range(loop)):
                continue
            for name, line in self.names.lost(loop, self.names.bound_in(loop.body)):
                text = f"{name} is used after the loop of line {loop.lineno}, which binds it first"
                self.machine.rule("loop-scoped name", text, f"bind {name} before the loop", line=line)


_UNKNOWN: Any = object()


def _allowed_global(value: Any) -> bool:
    """What a kernel may read from around it besides constants: modules, functions of Triton, other kernels, types."""
    if isinstance(value, (types.ModuleType, DType)) or type(value) in CONSTANTS or hasattr(value, "constexprs"):
        return True
    if getattr(value, "__sim_tl__", False) or isinstance(value, tuple):
        return True
    module = getattr(value, "__module__", None) or getattr(getattr(value, "func", None), "__module__", "") or ""
    return module.startswith("sim.tl")
