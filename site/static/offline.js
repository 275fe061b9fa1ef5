/*
 * What this browser keeps of the lab, so that it works without a network: the line at the foot of the page. sw.js does the keeping.
 *
 * Unasked it keeps what the connection can bear: everything; the pages alone (slow, mobile, or a phone that does not say);
 * nothing (the reader saves data, or the lab comes from this very machine). What the reader presses is remembered and goes before.
 */
"use strict";

const gpuLabWorkers = (() => {
  try {
    return window.isSecureContext && location.protocol !== "file:" ? (navigator.serviceWorker ?? null) : null;
  } catch {
    return null; // refused, as in some private windows
  }
})();

(() => {
  const { say, setText, element, hide, whenIdle } = gpuLabTools;
  const python = gpuLabPython;
  const workers = gpuLabWorkers;
  const AFTER_LOAD_MS = 2_000; // the reader's first steps come first
  const IDLE_WITHIN_MS = 5_000;

  const config = document.querySelector('meta[name="gpu-lab-offline"]');
  const line = document.getElementById("kept");
  if (!config || !line || !workers) return;

  const script = new URL(config.content, document.baseURI);
  const sizes = config.dataset; // pages, python, all: MB to fetch
  const words = element("span");
  const keepButton = element("button", { type: "button" });
  const forgetButton = element("button", { type: "button", textContent: say("Remove it") });
  let choice = remembered(); // "all", "nothing" or null: what the reader pressed
  let news = {}; // of the service worker: {pages, python, busy, trouble}
  let registration = null;

  /* ---------- what is wanted ---------- */

  function remembered() {
    try {
      return localStorage.getItem(`gpu-lab-offline ${script.pathname}`);
    } catch {
      return null;
    }
  }

  function choose(what) {
    choice = what;
    line.setAttribute("aria-live", "polite"); // from now on the line answers the reader
    try {
      localStorage.setItem(`gpu-lab-offline ${script.pathname}`, what);
    } catch {
      // storage is refused: then it holds for this page
    }
  }

  /* "all", "pages" or "nothing" */
  function wanted() {
    const { connection } = navigator;
    if (choice) return choice;
    if (connection?.saveData || /^(localhost|127\.0\.0\.1|\[::1\])$/.test(location.hostname)) return "nothing";
    if (!connection) return matchMedia("(pointer: coarse)").matches ? "pages" : "all";
    return connection.type === "cellular" || (connection.effectiveType ?? "4g") !== "4g" ? "pages" : "all";
  }

  /* ---------- the service worker ---------- */

  async function keep() {
    try {
      registration = (await workers.register(script)) ?? null;
    } catch {
      return hear({ trouble: navigator.onLine === false ? "network" : "room" });
    }
    const worker = registration?.active ?? registration?.installing;
    if (worker?.state === "activated") return ask();
    if (worker) hear({ ...news, busy: true });
    worker?.addEventListener("statechange", () => worker.state === "activated" && ask());
  }

  /* While the page's own Python comes in, nothing else does. */
  function ask() {
    const whole = wanted() === "all" || python.state === "live";
    if (python.state !== "starting") registration?.active?.postMessage({ type: "keep", python: whole });
  }

  let before = python.state;
  python.watchers.add(() => {
    if (before !== (before = python.state) && choice !== "nothing") ask();
  });

  function hear(heard) {
    news = heard;
    show();
  }

  workers.addEventListener("message", ({ data, source }) => {
    if (data?.type !== "kept" || choice === "nothing") return;
    if (!registration?.active || source === registration.active) hear(data); // not of an update that does not fit
  });
  addEventListener("online", () => news.trouble === "network" && keep());

  /* ---------- the line ---------- */

  const TROUBLE = {
    room: say("This browser has no room to keep the lab, or does not want to. With a network everything works as before."),
    network: say("The lab could not be kept just now: not all of its files arrived. With a network everything works as before."),
  };

  function sentence({ pages, python: whole, busy, trouble }) {
    if (trouble) return TROUBLE[trouble];
    if (pages && whole) return say("The whole lab is kept in this browser and works without a network.");
    if (pages && busy) return say("The pages, their prepared steps and the downloads are kept in this browser. Python for settings of your own is on its way ({size} MB).", { size: sizes.python });
    if (pages) return say("The pages, their prepared steps and the downloads are kept in this browser and work without a network. Python for settings of your own is not kept.");
    if (busy) return say("The pages, their prepared steps and the downloads are on their way into this browser ({size} MB), to work without a network.", { size: sizes.pages });
    return say("This browser can keep the lab, which then works without a network.");
  }

  function show() {
    const { pages, python: whole, busy, trouble } = news;
    setText(words, sentence(news));
    setText(keepButton, trouble ? say("Try again") : pages ? say("Keep Python too ({size} MB)", { size: sizes.python }) : say("Keep the lab ({size} MB)", { size: sizes.all }));
    const [mayKeep, mayForget] = [Boolean(trouble) || !(busy || (pages && whole)), Boolean(pages || busy)];
    keepButton.hidden &&= !mayKeep;
    forgetButton.hidden &&= !mayForget;
    if (!mayKeep) hide(keepButton, forgetButton);
    if (!mayForget) hide(forgetButton, keepButton);
    line.hidden = false;
  }

  keepButton.addEventListener("click", () => {
    choose("all");
    Promise.resolve(navigator.storage?.persist?.()).catch(() => {});
    hear({ ...news, busy: true, trouble: "" });
    keep();
  });

  forgetButton.addEventListener("click", () => {
    choose("nothing");
    (registration?.active ?? workers.controller)?.postMessage({ type: "forget" });
    registration = null;
    hear({});
  });

  /* ---------- the start ---------- */

  /* What a service worker wrote after it was told to forget. */
  async function clear() {
    const prefix = `gpu-lab ${new URL("./", script)} `;
    for (const name of await caches.keys()) if (name.startsWith(prefix)) await caches.delete(name);
  }

  line.append(words, " ", keepButton, " ", forgetButton);
  show();
  if (choice === "nothing" && !workers.controller) clear().catch(() => {}); // storage is refused: then there is nothing
  const keepIfWanted = () => (wanted() !== "nothing" || (workers.controller && !choice)) && keep();
  const start = () => setTimeout(() => whenIdle(keepIfWanted, IDLE_WITHIN_MS), AFTER_LOAD_MS);
  if (document.readyState === "complete") start();
  else addEventListener("load", start, { once: true });
})();
