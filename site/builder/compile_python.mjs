// Compile Python sources with Pyodide itself, so that the code is of exactly the browser's Python.
// node compile_python.mjs PYODIDE_FOLDER INPUT.zip OUTPUT.zip PREFIX OPTIMIZE BARE LINED
//   the files of the input to compile come on standard input, one a line; code calls its file PREFIX + name;
//   OPTIMIZE is Python's own: 0 keeps all, 2 leaves out assertions and docstrings;
//   BARE, 0 or 1: leave out docstrings and what functions say of their types, which nothing here reads;
//   LINED: files under this folder know their lines, others do not, which saves a third of what travels
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

// Pyodide is one line of a megabyte, which Node would print beside an error's own words.
process.on('uncaughtException', (error) => {
  console.error(error.message);
  process.exit(1);
});

const [folder, input, output] = process.argv.slice(2, 5).map((path) => resolve(path));
const [prefix, optimize, bare, lined] = process.argv.slice(5);
const { loadPyodide } = await import(pathToFileURL(join(folder, 'pyodide.mjs')).href);
const python = await loadPyodide({});
python.FS.writeFile('/in.zip', readFileSync(input));
python.FS.writeFile('/names.txt', readFileSync(0));
python.globals.set('prefix', prefix);
python.globals.set('optimize', Number(optimize));
python.globals.set('bare', bare === '1');
python.globals.set('lined', lined);
python.runPython(`
import ast, importlib.util, marshal, struct, types, zipfile

class Bare(ast.NodeTransformer):
    def visit_FunctionDef(self, node):
        node.returns = None
        for each in ast.walk(node.args):
            if isinstance(each, ast.arg):
                each.annotation = None
        return self.without_docstring(node)

    def without_docstring(self, node):
        self.generic_visit(node)
        if ast.get_docstring(node, clean=False) is not None:
            node.body[:1] = [] if node.body[1:] else [ast.copy_location(ast.Pass(), node.body[0])]
        return node

    visit_AsyncFunctionDef, visit_ClassDef, visit_Module = visit_FunctionDef, without_docstring, without_docstring

def without_lines(code):
    # "no location" for every eight instructions, as in Objects/locations.md of CPython
    whole, rest = divmod(len(code.co_code) // 2, 8)
    table = b'\\xff' * whole + (bytes([0xF8 | rest - 1]) if rest else b'')
    consts = tuple(without_lines(each) if isinstance(each, types.CodeType) else each for each in code.co_consts)
    return code.replace(co_linetable=table, co_consts=consts)

with open('/names.txt', encoding='utf-8') as file:
    names = sorted(file.read().split())
with zipfile.ZipFile('/in.zip') as source, zipfile.ZipFile('/out.zip', 'w', zipfile.ZIP_STORED) as target:
    for name in names:
        text = source.read(name)
        tree = Bare().visit(ast.parse(text)) if bare else text
        code = compile(tree, prefix + name, 'exec', dont_inherit=True, optimize=optimize)
        if not (lined and name.startswith(lined)):
            code = without_lines(code)
        head = importlib.util.MAGIC_NUMBER + struct.pack('<III', 0, 0, len(text))
        target.writestr(zipfile.ZipInfo(name[:-3] + '.pyc', (1980, 1, 1, 0, 0, 0)), head + marshal.dumps(code))
`);
writeFileSync(output, python.FS.readFile('/out.zip'));
