"""Kernel files as text: where a function stands in its file, and executing a file under an import hook."""

import ast
import builtins
import functools
import linecache
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from sim.counted import TICK, compiled
from sim.tl.branches import Names
from sim.tl.constexpr import CONSTANTS
from sim.tl.errors import KernelError
from sim.tl.machine import Machine
from sim.tl.rewrite import BUILTINS, SIM, Statement, rewritten

PLAIN_MODULES = (
    "__future__", "collections", "dataclasses", "enum", "functools", "itertools", "math", "operator", "typing",
)  # fmt: skip
Importer = Callable[[str], Any]


@dataclass(frozen=True)
class SourceFile:
    """The text of a kernel file and its syntax tree."""

    name: str
    text: str
    tree: ast.Module
    functions: Mapping[tuple[str, int], ast.FunctionDef]  # by name and first line, decorators included


def parsed(text: str, name: str) -> SourceFile:
    """Raises KernelError with the line when the text is no Python."""
    try:
        tree = ast.parse(text, name)
        return SourceFile(name, text, tree, functions_of(tree))
    except SyntaxError as error:
        raise KernelError(f"not valid Python: {error.msg}", kind="syntax", line=error.lineno or 0) from None


def functions_of(tree: ast.Module) -> dict[tuple[str, int], ast.FunctionDef]:
    """Every function by its name and its first line."""
    found: list[ast.FunctionDef] = []
    todo: list[ast.AST] = [tree]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.FunctionDef):
            found.append(node)
        if isinstance(node, (ast.stmt, ast.Module, ast.ExceptHandler)):
            todo += [part for field in ("body", "orelse", "handlers", "finalbody") for part in getattr(node, field, ())]
    lines = [min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)]) for node in found]
    return {(node.name, line): node for node, line in zip(found, lines, strict=True)}


def source_of(machine: Machine, function: Callable[..., Any]) -> SourceFile:
    """The file of ``function``. Raises KernelError when its text is not known."""
    code = function.__code__
    file = machine.files.get(code.co_filename)
    if file is None:
        text = "".join(linecache.getlines(code.co_filename, function.__globals__))
        if not text:
            raise KernelError(f"the source of {code.co_name} is not known")
        file = machine.files[code.co_filename] = parsed(text, code.co_filename)
    if (code.co_name, code.co_firstlineno) not in file.functions:
        raise KernelError(f"the source of {code.co_name} is not in {code.co_filename}")
    found: SourceFile = file
    return found


def definition(machine: Machine, function: Callable[..., Any]) -> ast.FunctionDef:
    """The syntax tree of ``function``, to read."""
    code = function.__code__
    return source_of(machine, function).functions[code.co_name, code.co_firstlineno]


def runnable(
    machine: Machine, function: Callable[..., Any], of_names: Names, helper: Any, traced: bool
) -> tuple[Callable[..., Any], tuple[Statement, ...]]:
    """``function`` as Triton's compiler means it, and its statements by number (for the recorder)."""
    code, names = function.__code__, function.__globals__
    cells = {
        name: cell.cell_contents
        for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True)
        if _filled(cell)
    }
    shadowed = {name for name in BUILTINS if name in names or name in cells}
    around = {**names, **cells}
    wrapped = {name for name, value in around.items() if type(value) in CONSTANTS}
    fresh = functions_of(ast.parse(source_of(machine, function).text))
    made = rewritten(fresh[code.co_name, code.co_firstlineno], of_names, tuple(cells), shadowed, wrapped, traced)
    module = compile(made.tree, code.co_filename, "exec")
    factory_code = next(part for part in module.co_consts if isinstance(part, types.CodeType))
    factory = types.FunctionType(factory_code, names)
    built = factory(**{SIM: helper}, **cells)
    built.__defaults__, built.__kwdefaults__ = function.__defaults__, function.__kwdefaults__
    return built, made.statements


def _filled(cell: Any) -> bool:
    try:
        cell.cell_contents  # noqa: B018
    except ValueError:
        return False
    return True


def plain_import(name: str) -> Any:
    """Modules that a kernel file may import besides triton. Raises KernelError for others."""
    if name.split(".")[0] not in PLAIN_MODULES:
        raise KernelError(
            f"no module {name} here; a kernel file may import triton, triton.language and {', '.join(PLAIN_MODULES)}",
            kind="unknown name",
        )
    return __import__(name, fromlist=["*"])


def executed(
    machine: Machine,
    text: str,
    name: str,
    modules: Mapping[str, Any],
    importer: Importer = plain_import,
    module_name: str = "kernel_file",
) -> types.ModuleType:
    """Run a kernel file's text; ``import triton`` and what is below it give ``modules``, everything else ``importer``.

    ``sys.modules`` is neither read nor changed, so a real Triton may be loaded in the same process. ``importer`` takes
    a dotted name and returns that very module. Loops and calls outside of kernels count as steps, too. Raises
    KernelError with the line.
    """
    machine.files[name] = parsed(text, name)
    module = types.ModuleType(module_name)
    module.__file__ = name

    def hooked(wanted: str, globals_: Any = None, locals_: Any = None, fromlist: Any = (), level: int = 0) -> Any:
        if level:
            package = (globals_ or {}).get("__package__") or module_name.rpartition(".")[0]
            base = package.split(".")[: len(package.split(".")) - level + 1]
            wanted = ".".join([*base, wanted] if wanted else base)
        top = wanted.split(".")[0]
        if top == "triton":
            if wanted not in modules:
                raise KernelError(f"no module {wanted} here", kind="unknown name", line=machine.line())
            for part in fromlist or ():
                if part != "*" and f"{wanted}.{part}" not in modules:
                    getattr(modules[wanted], part)
            return modules[wanted if fromlist else top]
        found = importer(wanted)
        if fromlist:
            for part in fromlist:
                if part != "*" and not hasattr(found, part):
                    importer(f"{wanted}.{part}")
            return found
        return found if wanted == top else importer(top)

    names = module.__dict__
    names["__builtins__"] = {**vars(builtins), "__import__": hooked}
    names["__package__"] = module_name.rpartition(".")[0]
    names[TICK] = functools.partial(_tick, machine)
    try:
        exec(compiled(text, name), names)
    except KernelError as error:
        error.line = error.line if error.line is not None else place(machine, error)
        raise
    except (Exception, SystemExit) as error:
        raise KernelError(_described(error), line=place(machine, error)) from error
    return module


def _tick(machine: Machine) -> bool:
    machine.step()
    return True


def _described(error: BaseException) -> str:
    said = str(error)
    return f"{type(error).__name__}: {said}" if said else type(error).__name__


def place(machine: Machine, error: BaseException) -> int:
    """The last line of a kernel file that ``error`` came through; 0 when there is none."""
    line = 0
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename in machine.files:
            line = trace.tb_lineno
        trace = trace.tb_next
    return line
