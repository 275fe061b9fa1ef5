"""A person's program with a counter in it: every turn of a loop and every call of a function is one step.

The counter is put into the syntax tree, before compiling. So a limit needs no thread, no signal and no trace
function, counts the same on every version of Python, and cannot be swallowed by ``except:``, because a
handler counts, too.
"""

import ast
import warnings
from types import CodeType

TICK = "__step__"


def compiled(source: str, file: str) -> CodeType:
    """The program, with its counter: a function TICK among its names, which must return True, is called at every step.

    Raises SyntaxError, ValueError, MemoryError or RecursionError as compile does.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = _Counter().visit(ast.parse(source, file))
        return compile(ast.fix_missing_locations(tree), file, "exec", dont_inherit=True)


_Function = ast.FunctionDef | ast.AsyncFunctionDef


class _Counter(ast.NodeTransformer):
    """Puts a call of the counter where time can be spent without end. Lines stay the reader's own."""

    def visit_For(self, node: ast.For) -> ast.AST:
        return self._counted(node)

    def visit_AsyncFor(self, node: ast.AsyncFor) -> ast.AST:
        return self._counted(node)

    def visit_While(self, node: ast.While) -> ast.AST:
        return self._counted(node)

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.AST:
        return self._counted(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return self._counted(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        return self._counted(node)

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        self.generic_visit(node)
        both = ast.Tuple([_tick(node), node.body], ast.Load())
        node.body = ast.copy_location(ast.Subscript(both, ast.Constant(1), ast.Load()), node)
        return node

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        self.generic_visit(node)
        node.ifs.insert(0, _tick(node.target))
        return node

    def _counted(self, node: ast.For | ast.AsyncFor | ast.While | ast.ExceptHandler | _Function) -> ast.AST:
        self.generic_visit(node)
        node.body.insert(0, ast.copy_location(ast.Expr(_tick(node)), node))
        return node


def _tick(node: ast.AST) -> ast.expr:
    return ast.copy_location(ast.Call(ast.Name(TICK, ast.Load()), [], []), node)
