/*
 * The part of Python's worker that puts a kept memory together again, as make_snapshot.mjs took it apart, and lets it fit
 * every engine.
 */

const NO_FILES = Uint8Array.of(80, 75, 5, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0); // an empty zip
const HEAP_BYTES = 31_457_280; // which Pyodide starts with, and which a memory of its may have
const PAGE_WORDS = 1024;

/* The WebAssembly is compiled while the modules that will ask for it are still on their way, and once, however often it is
   asked for. `onFresh` sees its memory before anything has run in it. Pyodide swallows what goes wrong and waits for ever. */
function compileAhead(response, onFresh) {
  const failed = (error) => tell(error?.why ? error : new Trouble(error instanceof RangeError ? "memory" : "damaged", String(error.message), "pyodide.asm.wasm"));
  const compiled = WebAssembly.compileStreaming ? WebAssembly.compileStreaming(response) : response.then((whole) => whole.arrayBuffer()).then((bytes) => WebAssembly.compile(bytes));
  compiled.catch(failed);
  WebAssembly.instantiateStreaming = async (_, imports) => {
    try {
      const module = await compiled;
      const instance = await WebAssembly.instantiate(module, imports);
      nameOnce(instance.exports);
      onFresh(instance.exports.memory);
      return { module, instance };
    } catch (error) {
      throw failed(error);
    }
  };
}

/* A function that is exported and also lies in the table is one object by the standard, and Emscripten counts on it when it
   numbers functions. WebKit gives another object from the table, and all numbers, those in a kept memory too, would be others.
   The name of either is the function's own number. */
function nameOnce({ __indirect_function_table: table, ...exported }) {
  const functions = new Map(Object.values(exported).filter((each) => typeof each === "function").map((each) => [each.name, each]));
  const [own, get] = [table.length, table.get];
  table.get = (index) => {
    const found = get.call(table, index);
    return (index < own && functions.get(found?.name)) || found;
  };
}

/* Into `whole`, which Pyodide restores: its head, and the memory that was kept. make_snapshot.mjs tells how that is laid out
   and what `fresh` is. Throws when it does not become what it was. */
function unpack(memory, fresh, whole) {
  const [headBytes, count, check] = new Uint32Array(memory, 0, 3);
  const pages = new Uint32Array(memory, 12 + headBytes, count);
  const words = new Uint32Array(memory, 12 + headBytes + 4 * count);
  whole.set(new Uint8Array(memory, 12, headBytes));
  whole.set(new Uint8Array(fresh), headBytes);
  const heap = new Uint32Array(whole.buffer, headBytes);
  let [sum, from] = [0, 0];
  for (const page of pages) {
    const to = page * PAGE_WORDS;
    for (let at = 0; at < PAGE_WORDS; at++) sum = (Math.imul(sum, 31) + (heap[to + at] ^= words[from + at])) | 0;
    from += PAGE_WORDS;
  }
  if (sum >>> 0 !== check) throw new Error("the memory is another one");
}

/* A file of Python's whose bytes come when it is first looked at. */
function readLate(FS, place, bytes) {
  const { node } = FS.lookupPath(place);
  const { stream_ops, node_ops } = node;
  const filled = () => {
    if (!bytes) return;
    node.stream_ops = stream_ops;
    node.node_ops = node_ops;
    node.contents = bytes();
    node.usedBytes = node.contents.length;
    bytes = null;
  };
  const late = (operations) => Object.fromEntries(Object.entries(operations).map(([name, operation]) => [name, (...given) => (filled(), operation(...given))]));
  node.stream_ops = late(stream_ops);
  node.node_ops = late(node_ops);
}
