/*
 * The worker that hosts Pyodide: text in (a request as JSON), text out (lab.bridge's answer).
 *
 * page -> worker   {type: "start", config, fresh}         once; every address in config is absolute
 *                  {type: "ask", id, request, limit}      limit in ms, after which Python is interrupted
 * worker -> page   {type: "progress", loaded, total}      bytes as unpacked
 *                  {type: "ready", python, way}             its version; "memory" or "plain"
 *                  {type: "answer", id, answer}
 *                  {type: "failed", why, detail, file}    `why` is a key of the sentences in lab.js; the page ends the worker
 *
 * Pyodide hangs without a word when its WebAssembly is refused or broken, so every file is watched on its way
 * in and the first trouble is told at once.
 *
 * Python starts from a memory in which the page's modules are imported already (make_snapshot.mjs made it). Where that
 * cannot be had, or is not what it should be, it starts the plain way, from the library and the model.
 */

const NEEDED = ["pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm"];
const isSpare = (name) => name.startsWith("memory."); // without it there is the plain way
const nameOf = (url) => new URL(url, self.location.href).pathname.split("/").at(-1);

/* What would let a reader's program, perhaps a pasted one, act in the page's name: answer for the model, or change what the
   browser keeps for this site. It is gone before any of it runs; other origins are out of reach by this worker's policy. */
const OUT_OF_REACH = ["postMessage", "caches", "indexedDB", "BroadcastChannel", "Worker"];
const post = self.postMessage.bind(self);

const say = (text, values = {}) => text.replace(/\{([a-z_]+)\}/g, (_, name) => values[name]); // as in tools.js

const NO_FILES = Uint8Array.of(80, 75, 5, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0); // an empty zip
const HEAP_BYTES = 31_457_280; // which Pyodide starts with, and which a memory of its may have
const SPARE_SILENCE_MS = 5_000; // the page gives up after 20 s
const LAB_PLACE = "/lab.zip";
const STDLIB_PLACE = "/lib/python314.zip";

let handle = null;
let spared = false; // while Python starts from a memory, no trouble of Pyodide's is the end
let deadline = Infinity;
let told = false;

class Trouble extends Error {
  constructor(why, detail = "", file = "") {
    super(detail || why);
    Object.assign(this, { why, detail, file });
  }
}

function tell(error, why = "crashed") {
  if (told) return error;
  told = true;
  const detail = String(error?.message ?? error).split("\n").filter(Boolean).at(-1) ?? "";
  post({ type: "failed", why: error?.why ?? why, detail: error?.detail ?? detail, file: error?.file ?? "" });
  return error;
}

/* A module of eight bytes: is WebAssembly there, and does the policy of this worker allow it? */
function checkWebAssembly() {
  if (typeof WebAssembly !== "object") throw new Trouble("noWebAssembly");
  try {
    new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0));
  } catch (error) {
    throw new Trouble("forbidden", String(error.message));
  }
}

/* Counts bytes for the progress line, and makes one Response for each file, checked for its length and given
   the right type. `cache: "reload"` on a retry: what a broken first download left in the cache is not used again. */
function downloads(config, fresh) {
  const sizes = new Map(config.files.map((file) => [file.name, file.bytes]));
  const expected = new Set(NEEDED);
  const hashes = new Map(config.files.map((file) => [file.name, file.sha256]));
  const loaded = new Map();
  let news = performance.now();
  const realFetch = self.fetch.bind(self);
  function count(name, bytes) {
    loaded.set(name, bytes);
    announce();
  }

  function announce() {
    news = performance.now();
    let [sum, total] = [0, 0];
    for (const each of expected) {
      sum += loaded.get(each) ?? 0;
      total += sizes.get(each) ?? 0;
    }
    post({ type: "progress", loaded: sum, total });
  }

  async function get(url, init = {}) {
    const name = nameOf(url);
    let response;
    try {
      response = await realFetch(url, fresh ? { ...init, cache: "reload" } : init);
    } catch (error) {
      throw new Trouble(self.navigator.onLine === false ? "offline" : "blocked", String(error.message), name);
    }
    if (!response.ok) throw unwelcome(response, name);
    const type = name.endsWith(".wasm") ? "application/wasm" : (response.headers.get("Content-Type") ?? "");
    return new Response(checked(response.body, name), { headers: { "Content-Type": type } });
  }

  /* The same for what Python itself reads: a zip holds its files as they are, so a wrong byte would go unnoticed.
     (A page that is served without encryption from elsewhere than this machine has no crypto.subtle: then only the length is checked.) */
  async function getIntact(url) {
    const name = nameOf(url);
    expected.add(name);
    const bytes = await (await get(url)).arrayBuffer();
    const wanted = hashes.get(name);
    if (wanted && self.crypto?.subtle) {
      const hash = new Uint8Array(await self.crypto.subtle.digest("SHA-256", bytes));
      const found = [...hash].map((byte) => byte.toString(16).padStart(2, "0")).join("");
      if (!found.startsWith(wanted)) throw new Trouble("damaged", say("its content is not what the site was built with"), name);
    }
    return new Response(bytes);
  }

  function broken(controller, trouble) {
    if (!isSpare(trouble.file)) tell(trouble);
    controller.error(trouble);
  }

  function checked(body, name) {
    let bytes = 0;
    const reader = body.getReader();
    return new ReadableStream({
      async pull(controller) {
        let part;
        try {
          part = await reader.read();
        } catch (error) {
          return broken(controller, new Trouble("cutOff", String(error.message), name));
        }
        if (!part.done) {
          bytes += part.value.byteLength;
          count(name, bytes);
          return controller.enqueue(part.value);
        }
        if (sizes.has(name) && sizes.get(name) !== bytes) {
          return broken(controller, incomplete(bytes, name));
        }
        controller.close();
      },
    });
  }

  async function load(url) {
    const name = nameOf(url);
    if (fresh) await (await get(url)).arrayBuffer();
    try {
      const module = await import(url);
      count(name, sizes.get(name) ?? 0);
      return module;
    } catch (error) {
      throw await whyNoModule(url, error);
    }
  }

  /* import() does not say why it failed: ask for the same file once more and look. */
  async function whyNoModule(url, error) {
    try {
      const response = await get(url);
      const type = response.headers.get("Content-Type").split(";")[0].trim();
      await response.arrayBuffer();
      if (!/^(text|application)\/(x-)?(java|ecma)script$/.test(type)) return new Trouble("wrongType", type || say("no type"), nameOf(url));
    } catch (trouble) {
      if (trouble instanceof Trouble) return trouble;
    }
    return new Trouble("damaged", String(error.message), nameOf(url));
  }

  const unwelcome = ({ status }, name) => new Trouble(status === 404 || status === 410 ? "gone" : "refused", String(status), name);
  const incomplete = (bytes, name) => new Trouble("cutOff", say("{bytes} of {total} bytes", { bytes, total: sizes.get(name) }), name);

  /* What Python reads only if it must, while it waits: when a request imports what the memory does not hold. */
  function getNow(url) {
    const name = nameOf(url);
    const request = new XMLHttpRequest();
    request.open("GET", url, false);
    request.responseType = "arraybuffer";
    try {
      request.send();
    } catch (error) {
      throw tell(new Trouble(self.navigator.onLine === false ? "offline" : "blocked", String(error.message), name));
    }
    if (request.status !== 200) throw tell(unwelcome(request, name));
    const bytes = new Uint8Array(request.response);
    if (bytes.length !== sizes.get(name)) throw tell(incomplete(bytes.length, name));
    return bytes;
  }

  /* Instead of the memory, all of these are waited for. */
  function expectInstead(url, ...urls) {
    expected.delete(nameOf(url));
    for (const each of urls) expected.add(nameOf(each));
    announce();
  }

  /* Rejects when nothing at all has come for a while: there is another way than to wait for the memory. */
  const silence = () =>
    new Promise((_, reject) => {
      const look = () => (performance.now() - news > SPARE_SILENCE_MS ? reject(new Error("its memory does not come")) : setTimeout(look, 200));
      look();
    });
  return { get, getIntact, getNow, load, expectInstead, silence };
}

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

const PAGE_WORDS = 1024;

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

async function start(config, fresh) {
  checkWebAssembly();
  for (const name of ["Suspending", "promising"]) delete WebAssembly[name]; // else a kept memory fits some engines only
  let onFresh = () => {};
  const files = downloads(config, fresh);
  const wasm = `${config.pyodide}pyodide.asm.wasm`;
  compileAhead(files.get(wasm), (memory) => onFresh(memory));
  const ahead = new Map();
  self.fetch = (input, init) => {
    const url = new URL(input?.url ?? input, self.location.href).href;
    if (url === wasm) return Promise.resolve(new Response()); // it is compiled already
    const waiting = ahead.get(url);
    ahead.delete(url);
    return waiting ?? files.get(url, init);
  };
  const modules = Promise.all(["pyodide.mjs", "pyodide.asm.mjs"].map((name) => files.load(config.pyodide + name)));
  modules.catch(tell);
  const options = {
    indexURL: config.pyodide,
    packageBaseUrl: config.pyodide,
    stdLibURL: config.stdlib,
    lockFileContents: config.lock,
    stdout: () => {},
    stderr: () => {},
  };

  let model = null;
  const lab = () => {
    model ??= files.getIntact(config.lab).then(async (response) => new Uint8Array(await response.arrayBuffer()));
    model.catch(tell);
    return model;
  };

  /* A library of nothing stands in for the two archives: the memory holds what was imported from them. */
  async function fromMemory() {
    const read = config.reads && lab();
    const kept = files.getIntact(config.memory).then((response) => response.arrayBuffer());
    const memory = await Promise.race([kept, files.silence()]);
    const [{ loadPyodide }, { default: createPyodideModule }] = await modules;
    const [headBytes] = new Uint32Array(memory, 0, 1);
    const whole = new Uint8Array(headBytes + HEAP_BYTES);
    let trouble = new Error("no memory was seen");
    onFresh = (seen) => {
      try {
        unpack(memory, seen.buffer, whole);
        trouble = null;
      } catch (error) {
        trouble = error;
      }
    };
    ahead.set(config.stdlib, Promise.resolve(new Response(NO_FILES)));
    const pyodide = await loadPyodide({
      ...options,
      _loadSnapshot: whole,
      createPyodideModule: async (settings) => {
        const module = await createPyodideModule(settings);
        if (trouble) throw trouble;
        return module;
      },
    });
    readLate(pyodide.FS, STDLIB_PLACE, () => files.getNow(config.stdlib));
    delete pyodide._api.config._loadSnapshot; // thirty megabytes
    pyodide.FS.writeFile(LAB_PLACE, (await read) || "");
    if (!read) readLate(pyodide.FS, LAB_PLACE, () => files.getNow(config.lab));
    return ready(pyodide, "memory");
  }

  async function plainly() {
    const library = files.getIntact(config.stdlib);
    library.catch(tell);
    ahead.set(config.stdlib, library);
    lab();
    const [{ loadPyodide }, { default: createPyodideModule }] = await modules;
    const pyodide = await loadPyodide({ ...options, createPyodideModule });
    pyodide.FS.writeFile(LAB_PLACE, await lab()); // Python imports from the zip as it is
    pyodide.runPython(`import sys; sys.path.insert(0, "${LAB_PLACE}")`);
    return ready(pyodide, "plain");
  }

  /* One session: it remembers the last scenes. */
  function ready(pyodide, way) {
    pyodide.setInterruptBuffer(Object.defineProperty({}, "0", { get: interrupt, set() {} }));
    const asked = pyodide.pyimport("lab.bridge").Session().handle;
    const { python } = JSON.parse(asked('{"op":"hello"}'));
    return { asked, python, way };
  }

  async function started() {
    if (!config.memory || fresh) return plainly();
    spared = true;
    try {
      return await fromMemory();
    } catch (error) {
      if (told) throw error;
      console.info(`Python starts the plain way: ${error.message}`);
    } finally {
      spared = false;
      onFresh = () => {};
    }
    files.expectInstead(config.memory, config.stdlib, config.lab);
    return plainly();
  }

  const { asked, python, way } = await started();
  putOutOfReach();
  handle = asked;
  post({ type: "ready", python, way });
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

function putOutOfReach() {
  for (let owner = self; owner; owner = Object.getPrototypeOf(owner)) for (const name of OUT_OF_REACH) delete owner[name];
  delete Object.getPrototypeOf(self.navigator).serviceWorker;
}

/* Read by Python's own loop; 2 is SIGINT. A plain object will do, so no shared memory and no special headers. */
function interrupt() {
  if (performance.now() <= deadline) return 0;
  deadline = Infinity;
  return 2;
}

function answer({ id, request, limit }) {
  deadline = performance.now() + limit;
  try {
    post({ type: "answer", id, answer: handle(request) });
  } catch (error) {
    if (/KeyboardInterrupt/.test(error.message)) tell(new Trouble("slow"));
    else tell(error, /memory/i.test(error.message) ? "memory" : "crashed");
  } finally {
    deadline = Infinity;
  }
}

/* What Pyodide's own code leaves unhandled would otherwise be a start that hangs. */
addEventListener("unhandledrejection", (event) => {
  if (handle) return; // Python runs: the console may have it
  event.preventDefault();
  if (spared) return;
  tell(event.reason, "damaged");
});

addEventListener("message", ({ data }) => {
  if (data.type === "start") start(data.config, data.fresh).catch((error) => tell(error, "damaged"));
  else answer(data);
});
