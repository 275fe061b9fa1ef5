/*
 * The part of Python's worker that fetches: every file is counted and checked on its way in, and the first trouble is told
 * at once, as Pyodide would hang without a word.
 */

const NEEDED = ["pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm"];
const isSpare = (name) => name.startsWith("memory."); // without it there is the plain way
const nameOf = (url) => new URL(url, self.location.href).pathname.split("/").at(-1);
const SPARE_SILENCE_MS = 5_000; // the page gives up after 20 s

const post = self.postMessage.bind(self);
const say = (text, values = {}) => text.replace(/\{([a-z_]+)\}/g, (_, name) => values[name]); // as in tools.js

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
