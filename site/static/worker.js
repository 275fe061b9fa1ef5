/*
 * The worker that hosts Pyodide: text in (a request as JSON), text out (lab.bridge's answer).
 *
 * page -> worker   {type: "start", config, fresh}         once; every address in config is absolute
 *                  {type: "ask", id, request, limit}      limit in ms, after which Python is interrupted
 * worker -> page   {type: "progress", loaded, total}      bytes as unpacked
 *                  {type: "ready", python}
 *                  {type: "answer", id, answer}
 *                  {type: "failed", why, detail, file}    `why` is a key of the sentences in lab.js; the page ends the worker
 *
 * Pyodide hangs without a word when its WebAssembly is refused or broken, so every file is watched on its way
 * in and the first trouble is told at once.
 */

const NEEDED = ["pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm"];
const nameOf = (url) => new URL(url, self.location.href).pathname.split("/").at(-1);

/* What would let a reader's program, perhaps a pasted one, act in the page's name: answer for the model, or change what the
   browser keeps for this site. It is gone before any of it runs; other origins are out of reach by this worker's policy. */
const OUT_OF_REACH = ["postMessage", "caches", "indexedDB", "BroadcastChannel", "Worker"];
const post = self.postMessage.bind(self);

const say = (text, values = {}) => text.replace(/\{([a-z_]+)\}/g, (_, name) => values[name]); // as in tools.js

let handle = null;
let deadline = Infinity;
let told = false;

class Trouble extends Error {
  constructor(why, detail = "", file = "") {
    super(detail || why);
    Object.assign(this, { why, detail, file });
  }
}

function tell(error, why = "crashed") {
  if (told) return;
  told = true;
  const detail = String(error?.message ?? error).split("\n").filter(Boolean).at(-1) ?? "";
  post({ type: "failed", why: error?.why ?? why, detail: error?.detail ?? detail, file: error?.file ?? "" });
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
  const total = [...NEEDED, config.stdlib, config.lab].reduce((sum, url) => sum + (sizes.get(nameOf(url)) ?? 0), 0);
  const hashes = new Map(config.files.map((file) => [file.name, file.sha256]));
  const loaded = new Map();
  const realFetch = self.fetch.bind(self);
  function count(name, bytes) {
    loaded.set(name, bytes);
    let sum = 0;
    for (const each of loaded.values()) sum += each;
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
    if (!response.ok) throw new Trouble(response.status === 404 || response.status === 410 ? "gone" : "refused", String(response.status), name);
    const type = name.endsWith(".wasm") ? "application/wasm" : (response.headers.get("Content-Type") ?? "");
    return new Response(checked(response.body, name), { headers: { "Content-Type": type } });
  }

  /* The same for what Python itself reads: a zip holds its files as they are, so a wrong byte would go unnoticed.
     (A page that is served without encryption from elsewhere than this machine has no crypto.subtle: then only the length is checked.) */
  async function getIntact(url) {
    const name = nameOf(url);
    const bytes = await (await get(url)).arrayBuffer();
    const wanted = hashes.get(name);
    if (wanted && self.crypto?.subtle) {
      const hash = new Uint8Array(await self.crypto.subtle.digest("SHA-256", bytes));
      const found = [...hash].map((byte) => byte.toString(16).padStart(2, "0")).join("");
      if (!found.startsWith(wanted)) throw new Trouble("damaged", say("its content is not what the site was built with"), name);
    }
    return new Response(bytes);
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
          const trouble = new Trouble("cutOff", String(error.message), name);
          tell(trouble);
          return controller.error(trouble);
        }
        if (!part.done) {
          bytes += part.value.byteLength;
          count(name, bytes);
          return controller.enqueue(part.value);
        }
        if (sizes.has(name) && sizes.get(name) !== bytes) {
          const trouble = new Trouble("cutOff", say("{bytes} of {total} bytes", { bytes, total: sizes.get(name) }), name);
          tell(trouble);
          return controller.error(trouble);
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

  return { get, getIntact, load };
}

/* Pyodide swallows these rejections and then waits for ever. */
function watchInstantiation() {
  for (const name of ["instantiateStreaming", "instantiate"]) {
    const real = WebAssembly[name];
    if (!real) continue;
    WebAssembly[name] = async (source, imports) => {
      try {
        return await real.call(WebAssembly, source, imports);
      } catch (error) {
        tell(error?.why ? error : new Trouble(error instanceof RangeError ? "memory" : "damaged", String(error.message), "pyodide.asm.wasm"));
        throw error;
      }
    };
  }
}

async function start(config, fresh) {
  checkWebAssembly();
  watchInstantiation();
  const { get, getIntact, load } = downloads(config, fresh);
  const under = (name) => config.pyodide + name;
  const wasm = under("pyodide.asm.wasm");
  const ahead = new Map([[wasm, get(wasm)], [config.stdlib, getIntact(config.stdlib)]]);
  const lab = getIntact(config.lab).then((response) => response.arrayBuffer());
  for (const promise of [...ahead.values(), lab]) promise.catch(tell);
  self.fetch = (input, init) => {
    const url = new URL(input?.url ?? input, self.location.href).href;
    const waiting = ahead.get(url);
    ahead.delete(url);
    return waiting ?? get(url, init);
  };
  const [{ loadPyodide }, { default: createPyodideModule }] = await Promise.all([load(under("pyodide.mjs")), load(under("pyodide.asm.mjs"))]);
  const pyodide = await loadPyodide({
    indexURL: config.pyodide,
    packageBaseUrl: config.pyodide,
    stdLibURL: config.stdlib,
    lockFileContents: config.lock,
    createPyodideModule,
    stdout: () => {},
    stderr: () => {},
  });
  putOutOfReach();
  pyodide.FS.writeFile("/lab.zip", new Uint8Array(await lab)); // Python imports from the zip as it is
  pyodide.runPython("import sys; sys.path.insert(0, '/lab.zip')");
  pyodide.setInterruptBuffer(Object.defineProperty({}, "0", { get: interrupt, set() {} }));
  handle = pyodide.pyimport("lab.bridge").Session().handle; // one session: it remembers the last scenes
  post({ type: "ready", python: JSON.parse(handle('{"op":"hello"}')).python });
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
  tell(event.reason, "damaged");
});

addEventListener("message", ({ data }) => {
  if (data.type === "start") start(data.config, data.fresh).catch((error) => tell(error, "damaged"));
  else answer(data);
});
