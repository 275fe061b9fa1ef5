// What Python's memory holds once everything is imported, as its difference from the memory that it starts with.
// node make_snapshot.mjs PYODIDE_FOLDER STDLIB.zip LAB.zip OUTPUT
//   standard input is Python that runs before the memory is kept; /lab.zip is on its path
// Little-endian: words HEAD_BYTES, PAGES, CHECK; then Pyodide's own head; then the number of each page of 4096 bytes that
// differs; then those pages, each byte exclusive-or the byte of the fresh memory. worker.js puts it together again.
import crypto from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

// Pyodide is one line of a megabyte, which Node would print beside an error's own words.
process.on('uncaughtException', (error) => {
  console.error(error.message);
  process.exit(1);
});

const PAGE = 4096;
const [folder, stdlib, lab, output] = process.argv.slice(2, 6).map((path) => resolve(path));
const { loadPyodide } = await import(pathToFileURL(join(folder, 'pyodide.mjs')).href);

// The same memory on every machine: neither the day, nor chance, nor its place, language or time zone is in it.
process.env.TZ = 'UTC';
Object.defineProperty(globalThis.navigator, 'language', { value: 'C' });
Date.now = performance.now = () => 0;
Math.random = () => 0.5;
crypto.randomFillSync = (bytes) => bytes.fill(7);
process.argv.splice(1, Infinity, 'python');
// Engines without JavaScript Promise Integration number the functions of a module otherwise; worker.js hides it too.
for (const name of ['Suspending', 'promising']) delete WebAssembly[name];

let fresh = null; // before anything has run: the same in every browser, which later memory need not be
const real = WebAssembly.instantiate;
WebAssembly.instantiate = async (source, imports) => {
  const made = await real.call(WebAssembly, source, imports);
  const { memory, __wasm_apply_data_relocs } = (made.instance ?? made).exports;
  __wasm_apply_data_relocs?.(); // addresses in the data; Pyodide does it a second time, to the same end
  if (memory) fresh ??= new Uint8Array(memory.buffer).slice();
  return made;
};

const { info } = JSON.parse(readFileSync(join(folder, 'pyodide-lock.json'), 'utf8'));
const python = await loadPyodide({
  stdLibURL: stdlib,
  lockFileContents: { info, packages: {} },
  packageBaseUrl: './',
  env: { PYTHONHASHSEED: '0' },
  _makeSnapshot: true,
});
python.FS.writeFile('/lab.zip', readFileSync(lab));
python.runPython(readFileSync(0, 'utf8'));
const whole = python.makeMemorySnapshot();
const heapBytes = python._module.HEAPU8.length;
if (heapBytes !== fresh.length) throw new Error(`the memory has grown from ${fresh.length} to ${heapBytes} bytes, which Pyodide cannot restore`);
const head = whole.subarray(0, whole.length - heapBytes);
const heap = whole.subarray(head.length);
const words = new Uint32Array(heap.buffer, heap.byteOffset, heap.length / 4);
const freshWords = new Uint32Array(fresh.buffer);
const differing = [];
for (let page = 0; page * PAGE < heap.length; page++) {
  const from = (page * PAGE) / 4;
  for (let at = from; at < from + PAGE / 4; at++) {
    if (words[at] === freshWords[at]) continue;
    differing.push(page);
    break;
  }
}
let check = 0;
const pages = new Uint32Array((differing.length * PAGE) / 4);
differing.forEach((page, index) => {
  const from = (page * PAGE) / 4;
  for (let at = 0; at < PAGE / 4; at++) {
    const word = words[from + at];
    check = (Math.imul(check, 31) + word) | 0;
    pages[(index * PAGE) / 4 + at] = word ^ freshWords[from + at];
  }
});
const start = Uint32Array.of(head.length, differing.length, check);
writeFileSync(output, Buffer.concat([start, head, Uint32Array.from(differing), pages].map((part) => Buffer.from(part.buffer, part.byteOffset, part.byteLength))));
