/*
 * The worker that hosts Pyodide: text in (a request as JSON), text out (lab.bridge's answer). fetching.js and restoring.js
 * stand before it in the same file.
 *
 * page -> worker   {type: "start", config, fresh}         once; every address in config is absolute
 *                  {type: "ask", id, request, limit}      limit in ms, after which Python is interrupted
 * worker -> page   {type: "progress", loaded, total}      bytes as unpacked
 *                  {type: "ready", python, way}           its version; "memory" or "plain"
 *                  {type: "answer", id, answer}
 *                  {type: "failed", why, detail, file}    `why` is a key of the sentences in python.js; the page ends the worker
 *
 * Python starts from a memory in which the page's modules are imported already (make_snapshot.mjs made it). Where that
 * cannot be had, or is not what it should be, it starts the plain way, from the library and the model.
 */

/* What would let a reader's program, perhaps a pasted one, act in the page's name: answer for the model, or change what the
   browser keeps for this site. It is gone before any of it runs; other origins are out of reach by this worker's policy. */
const OUT_OF_REACH = ["postMessage", "caches", "indexedDB", "BroadcastChannel", "Worker"];
const LAB_PLACE = "/lab.zip";
const STDLIB_PLACE = "/lib/python314.zip";

let handle = null;
let spared = false; // while Python starts from a memory, no trouble of Pyodide's is the end
let deadline = Infinity;

/* A module of eight bytes: is WebAssembly there, and does the policy of this worker allow it? */
function checkWebAssembly() {
  if (typeof WebAssembly !== "object") throw new Trouble("noWebAssembly");
  try {
    new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0));
  } catch (error) {
    throw new Trouble("forbidden", String(error.message));
  }
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
