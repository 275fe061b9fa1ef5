// Compile the standard library with Pyodide itself, so that the code is of exactly the browser's Python.
// node compile_stdlib.mjs PYODIDE_FOLDER OUTPUT   (the module list comes on standard input, one file a line)
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder, output] = process.argv.slice(2).map((path) => resolve(path));
const { loadPyodide } = await import(pathToFileURL(join(folder, 'pyodide.mjs')).href);
const python = await loadPyodide({});
python.FS.writeFile('/in.zip', readFileSync(join(folder, 'python_stdlib.zip')));
python.FS.writeFile('/names.txt', readFileSync(0));
python.runPython(`
import importlib.util, marshal, struct, zipfile

with open('/names.txt', encoding='utf-8') as file:
    names = sorted(file.read().split())
with zipfile.ZipFile('/in.zip') as source, zipfile.ZipFile('/out.zip', 'w', zipfile.ZIP_STORED) as target:
    for name in names:
        text = source.read(name)
        code = compile(text, '<stdlib>/' + name, 'exec', dont_inherit=True, optimize=2)
        head = importlib.util.MAGIC_NUMBER + struct.pack('<III', 0, 0, len(text))
        target.writestr(zipfile.ZipInfo(name[:-3] + '.pyc', (1980, 1, 1, 0, 0, 0)), head + marshal.dumps(code))
`);
writeFileSync(output, python.FS.readFile('/out.zip'));
