/*
 * The page's one Python: a worker that all widgets of the page share, its watchdogs, and a sentence for every failure.
 * Its states are drawn at the head of lab.js.
 */
"use strict";

const gpuLabPython = (() => {
  const { say } = gpuLabTools;
  const START_SILENCE_MS = 20_000; // between two pieces of news while files come in
  const BOOT_SILENCE_MS = 60_000; // Python's own start, which has no news to give and takes long on a phone
  const ANSWER_MS = 10_000;
  const INTERRUPT_MS = 9_000; // Python is interrupted a little before the page gives up on it
  const UNFINISHED = "gpu-lab-start-unfinished";

  /* ---------- the sentences of a failure ---------- */

  const SENTENCES = {
    file: () =>
      say("This page was opened from a file, where browsers do not run Python. For settings of your own, open a terminal in the folder of this page, run “python3 -m http.server” (Windows: “py -m http.server”) and open http://localhost:8000. The prepared settings work here."),
    offline: () => say("Python could not be fetched: this device is offline. The prepared settings still work."),
    blocked: (f) => say("Python could not be fetched: the network, or a filter on it, did not let “{file}” through.", f),
    gone: (f) => say("“{file}” is no longer where this page expects it; the site may have been updated. Reload the page, or try again.", f),
    refused: (f) => say("Python could not be fetched: the server answered {detail} for “{file}”.", f),
    cutOff: (f) => say("“{file}” arrived incomplete: the connection was cut ({detail}).", f),
    damaged: (f) => (f.file ? say("Python could not be started: “{file}” arrived damaged ({detail}).", f) : say("Python could not be started: one of its files arrived damaged ({detail}).", f)),
    wrongType: (f) => say("Python could not be started: the server sends “{file}” as {detail}, and browsers run only JavaScript types.", f),
    noWebAssembly: () => say("Python cannot run here: WebAssembly is switched off in this browser."),
    forbidden: () => say("Python cannot run here: the site's security policy forbids WebAssembly (it lacks 'wasm-unsafe-eval')."),
    worker: () => say("The worker that hosts Python could not be loaded: it is blocked, missing, or sent with a wrong type."),
    memory: () => say("Python ran out of memory and was stopped."),
    slow: () => say("Python did not answer within 10 seconds and was stopped."),
    silent: () => say("Python could not be started: nothing has arrived for 20 seconds."),
    stuck: () => say("Python could not be started: everything has arrived, but it gave no sign of life for 60 seconds."),
    crashed: (f) => say("Python stopped unexpectedly ({detail}).", f),
    stopped: () => say("Python was stopped."),
  };

  class Failure extends Error {
    constructor(why, news = {}) {
      super(SENTENCES[why](news));
      this.why = why;
    }
  }

  /* ---------- the page's one Python ---------- */

  const python = {
    state: "prepared",
    version: "",
    way: "", // how it started: from a "memory", or "plain"
    progress: null, // {loaded, total} in bytes while starting
    watchers: new Set(), // called with no argument at every piece of news
    worker: null,
    started: null, // the promise of start()
    settle: null, // its two functions; while Python starts they also stand for this very start
    unfinished: lastStartDidNotFinish(), // this tab's last start ended in a crash
    fresh: false, // after a failure: fetch again what the browser has stored
    waiting: new Map(), // id -> {resolve, reject, timer}
    lastId: 0,
    timer: 0,

    start() {
      this.started ??= new Promise((resolve, reject) => {
        const settle = { resolve, reject };
        Object.assign(this, { settle, unfinished: false });
        remember(true);
        this.become("starting");
        this.launch(settle).catch((error) => {
          if (settle === this.settle) this.fail(error instanceof Failure ? error : new Failure("crashed", { detail: error.message }));
        });
      });
      return this.started;
    },

    /* The worker starts while the page still reads what it is to fetch; on a retry one after the other, with new copies. */
    async launch(settle) {
      if (location.protocol === "file:") throw new Failure("file");
      this.watch(START_SILENCE_MS, "silent");
      const { script, config } = runtime(this.fresh);
      config.catch(() => {}); // told below, unless the reader has stopped it
      if (this.fresh) await config.then(() => fetchOrFail(script, true));
      if (settle !== this.settle) return; // stopped meanwhile
      const worker = new Worker(script, { type: "module" });
      this.worker = worker;
      worker.onmessage = ({ data }) => worker === this.worker && this.hear(data);
      worker.onerror = async (event) => {
        event.preventDefault();
        const runs = this.progress || this.state === "live";
        const failure = runs ? new Failure("crashed", { detail: event.message || say("no reason given") }) : await whyNot(config, script);
        if (worker === this.worker) this.fail(failure);
      };
      const wanted = await config;
      if (worker === this.worker) worker.postMessage({ type: "start", config: wanted, fresh: this.fresh });
    },

    hear(news) {
      if (news.type === "progress") {
        this.progress = news;
        if (news.loaded < news.total) this.watch(START_SILENCE_MS, "silent");
        else this.watch(BOOT_SILENCE_MS, "stuck");
        this.tell();
      } else if (news.type === "ready") {
        clearTimeout(this.timer);
        remember(false);
        Object.assign(this, { version: news.python, way: news.way, fresh: false, progress: null });
        this.become("live");
        this.settle.resolve();
        this.settle = null;
      } else if (news.type === "answer") {
        const asked = this.waiting.get(news.id);
        this.waiting.delete(news.id);
        clearTimeout(asked?.timer);
        asked?.resolve(JSON.parse(news.answer));
      } else this.fail(new Failure(news.why in SENTENCES ? news.why : "crashed", news));
    },

    async ask(request) {
      await this.start();
      return new Promise((resolve, reject) => {
        const id = ++this.lastId;
        const timer = setTimeout(() => this.fail(new Failure("slow")), ANSWER_MS);
        this.waiting.set(id, { resolve, reject, timer });
        this.worker.postMessage({ type: "ask", id, request: JSON.stringify(request), limit: INTERRUPT_MS });
      });
    },

    stop() {
      this.end(new Failure("stopped"), "prepared");
    },

    fail(failure) {
      this.fresh = true;
      this.end(failure, "failed");
    },

    /* The worker goes at once, whatever it is doing; everyone who waits is told. */
    end(failure, state) {
      clearTimeout(this.timer);
      remember(false);
      this.worker?.terminate();
      const { settle, waiting } = this;
      Object.assign(this, { worker: null, started: null, settle: null, progress: null, waiting: new Map() });
      this.become(state);
      settle?.reject(failure);
      for (const asked of waiting.values()) {
        clearTimeout(asked.timer);
        asked.reject(failure);
      }
    },

    watch(ms, why) {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.fail(new Failure(why)), ms);
    },

    become(state) {
      this.state = state;
      this.tell();
    },

    tell() {
      for (const watcher of this.watchers) watcher();
    },
  };

  /* Set while Python starts and cleared in every orderly end, so that a tab that crashed does not start it again by itself. */
  function remember(starting) {
    try {
      if (starting) sessionStorage.setItem(UNFINISHED, "1");
      else sessionStorage.removeItem(UNFINISHED);
    } catch {
      // storage refused: then a crash is not remembered
    }
  }

  function lastStartDidNotFinish() {
    try {
      return sessionStorage.getItem(UNFINISHED) === "1";
    } catch {
      return false;
    }
  }

  async function fetchOrFail(url, fresh) {
    const file = new URL(url).pathname.split("/").at(-1);
    let response;
    try {
      response = await fetch(url, fresh ? { cache: "reload" } : {});
    } catch {
      throw new Failure(navigator.onLine === false ? "offline" : "blocked", { file });
    }
    if (!response.ok) throw new Failure(response.status === 404 || response.status === 410 ? "gone" : "refused", { file, detail: response.status });
    return response.text().catch(() => Promise.reject(new Failure("cutOff", { file, detail: say("the end is missing") })));
  }

  /* The worker's address, and a promise of what it is to fetch: runtime.json with every path made absolute, as a worker has
     another base than the page. */
  function runtime(fresh) {
    const { content, dataset } = document.querySelector('meta[name="gpu-lab-runtime"]');
    const url = new URL(content, document.baseURI).href;
    return { script: new URL(dataset.worker, document.baseURI).href, config: configuration(url, fresh) };
  }

  async function configuration(url, fresh) {
    let config;
    try {
      config = JSON.parse(await fetchOrFail(url, fresh));
    } catch (error) {
      throw error instanceof Failure ? error : new Failure("damaged", { file: "runtime.json", detail: error.message });
    }
    const absolute = (path) => new URL(path, url).href;
    const pyodide = absolute(config.pyodide);
    const stdlib = new URL(config.stdlib, config.stdlib.includes("/") ? url : pyodide).href;
    const memory = config.memory && absolute(config.memory);
    return { ...config, pyodide, stdlib, lab: absolute(config.lab), memory };
  }

  /* Why a worker did not load, of which its event tells nothing: where a file is missing or does not come, that says more. */
  async function whyNot(config, script) {
    try {
      await config;
      await fetchOrFail(script);
    } catch (failure) {
      return failure;
    }
    return new Failure("worker");
  }

  addEventListener("pagehide", () => remember(false)); // an orderly end

  /* For tests and the console. */
  window.gpuLab = {
    ask: (request) => python.ask(request),
    start: () => python.start(),
    get state() {
      return python.state;
    },
    get way() {
      return python.way;
    },
  };

  return python;
})();
