// Compile Python sources with Pyodide itself, so that the code is of exactly the browser's Python.
// node compile_python.mjs PYODIDE_FOLDER INPUT.zip OUTPUT.zip PREFIX OPTIMIZE
//   the files of the input to compile come on standard input, one a line; code calls its file PREFIX + name;
//   OPTIMIZE is Python's own: 0 keeps all, 2 leaves out assertions and docstrings
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder, input, output] = process.argv.slice(2, 5).map((path) => resolve(path));
const [prefix, optimize] = process.argv.slice(5);
const { loadPyodide } = await import(pathToFileURL(join(folder, 'pyodide.mjs')).href);
const python = await loadPyodide({});
python.FS.writeFile('/in.zip', readFileSync(input));
python.FS.writeFile('/names.txt', readFileSync(0));
python.globals.set('prefix', prefix);
python.globals.set('optimize', Number(optimize));
python.runPython(`
import importlib.util, marshal, struct, zipfile

with open('/names.txt', encoding='utf-8') as file:
    names = sorted(file.read().split())
with zipfile.ZipFile('/in.zip') as source, zipfile.ZipFile('/out.zip', 'w', zipfile.ZIP_STORED) as target:
    for name in names:
        text = source.read(name)
        code = compile(text, prefix + name, 'exec', dont_inherit=True, optimize=optimize)
        head = importlib.util.MAGIC_NUMBER + struct.pack('<III', 0, 0, len(text))
        target.writestr(zipfile.ZipInfo(name[:-3] + '.pyc', (1980, 1, 1, 0, 0, 0)), head + marshal.dumps(code))
`);
writeFileSync(output, python.FS.readFile('/out.zip'));
