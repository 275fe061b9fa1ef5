/*
 * The service worker: after one visit the lab works without a network. The build writes LAB in front of this text: the version,
 * each file's hash, and the headers that a good host would send.
 *
 *     install    every page, script, prepared step and download, each checked against its hash. One that does not fit, or no
 *                room: nothing is installed, and what there was before goes on.
 *     waiting    until a reader takes the update, or the last page of the version before is closed.
 *     activate   the pages' files come from here, first of all; what only an older version needs goes with its last page.
 *     "keep"     Python's files, when the page asks for it, or as the page's own Python fetches them.
 *
 * Files whose names change with their content lie in one cache that versions share; pages and downloads in one for each version.
 */
"use strict";

const PREFIX = `gpu-lab ${self.registration.scope} `;
const SHARED = `${PREFIX}files`;
const VERSION = PREFIX + LAB.version;
const FILES = { ...LAB.pages, ...LAB.python };
const AT_ONCE = 4;
const ANSWERS = {
  state: () => tell(),
  keep: keepWanted,
  update: () => self.skipWaiting(),
  forget,
};

const coming = new Map(); // files on their way in: {response, kept}; `response` is never read, so that it can be cloned
let trouble = ""; // why the last attempt to keep something failed: "room", "network"
let [busy, wantsPython] = [false, false];
let forgotten = false;

const isShared = (place) => /^(static|pyodide-[^/]+)\//.test(place);
const addressOf = (place) => new URL(place.split("/").map(encodeURIComponent).join("/"), self.registration.scope).href;
const cacheOf = (place) => caches.open(isShared(place) ? SHARED : VERSION);

/* The file that an address means, or "": the landing page for its folder, and a page without its ending, as some hosts have it. */
function placeOf(address) {
  const { origin, pathname } = new URL(address);
  const scope = new URL(self.registration.scope);
  if (origin !== scope.origin || !pathname.startsWith(scope.pathname)) return "";
  let place;
  try {
    place = decodeURIComponent(pathname.slice(scope.pathname.length)) || "index.html";
  } catch {
    return "";
  }
  return Object.hasOwn(FILES, place) ? place : Object.hasOwn(FILES, `${place}.html`) ? `${place}.html` : "";
}

/* ---------- bringing files in ---------- */

/* Fetches a file; what arrives is checked and kept on the side. Two who want it in the same way share one download. */
function bring(place, request) {
  const key = [place, request.cache, request.mode === "navigate"].join(" ");
  if (coming.has(key)) return coming.get(key);
  const response = fetch(request);
  const kept = response.then((answer) => keep(place, answer.clone()));
  coming.set(key, { response, kept });
  kept.catch(() => {}).then(() => coming.delete(key));
  return { response, kept };
}

async function keep(place, answer) {
  if (!answer.ok) throw new Error(`${answer.status} for ${place}`);
  const bytes = await answer.arrayBuffer();
  const hash = [...new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  if (!hash.startsWith(FILES[place])) throw new Error(`${place} is not of this version`);
  if (forgotten) return;
  const cache = await cacheOf(place);
  await cache.put(addressOf(place), new Response(bytes, { headers: headersOf(place) }));
}

function headersOf(place) {
  const suffix = place.slice(place.lastIndexOf("."));
  const security = LAB.security[place] ?? LAB.security[suffix];
  return { ...LAB.headers, "Content-Type": LAB.types[suffix] ?? LAB.types[""], ...(security && { "Content-Security-Policy": security }) };
}

/* The kept file, if there is one and the browser gives it out. */
async function keptFile(place) {
  try {
    return await (await cacheOf(place)).match(addressOf(place));
  } catch {
    return undefined;
  }
}

/* Which of `places` are not kept. */
async function missing(places) {
  const kept = new Set();
  try {
    for (const name of [SHARED, VERSION]) {
      if (!(await caches.has(name))) continue; // open() would make it
      for (const { url } of await (await caches.open(name)).keys()) kept.add(url);
    }
  } catch {
    return places; // storage is refused
  }
  return places.filter((place) => !kept.has(addressOf(place)));
}

/* Keeps all of `places`, or throws when the first one could not be kept and nothing is on its way any more. What the browser or
   a proxy stored may be old: then once more, from the host itself. */
async function keepAll(places, atOnce) {
  const left = await missing(places);
  const troubles = [];
  const from = (place, cache) => bring(place, new Request(addressOf(place), { cache })).kept;
  async function lane() {
    for (let place = left.shift(); place && !forgotten && !troubles.length; place = left.shift()) {
      try {
        await from(place, isShared(place) ? "default" : "no-cache").catch((error) => {
          if (error.name === "QuotaExceededError") throw error;
          return from(place, "reload");
        });
      } catch (error) {
        troubles.push(error);
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, lane));
  if (troubles.length) throw troubles[0];
}

const reason = (error) => (error.name === "QuotaExceededError" ? "room" : "network");

async function install() {
  try {
    await keepAll(Object.keys(LAB.pages), AT_ONCE);
  } catch (error) {
    trouble = reason(error);
    await caches.delete(VERSION).catch(() => {});
    if (!self.registration.active) await caches.delete(SHARED).catch(() => {});
    await tell();
    throw error;
  }
}

/* What a page asks to have kept: the pages, if the browser has thrown some out, and Python where it is wanted. */
async function keepWanted({ python }) {
  wantsPython ||= python;
  if (busy) return;
  [busy, forgotten, trouble] = [true, false, ""];
  await tell();
  try {
    await keepAll(Object.keys(LAB.pages), AT_ONCE);
    if (wantsPython) await keepAll(Object.keys(LAB.python), 1);
  } catch (error) {
    trouble = reason(error);
  }
  [busy, wantsPython] = [false, false];
  await tell();
}

/* ---------- talking to pages ---------- */

async function tell() {
  const gone = [await missing(Object.keys(LAB.pages)), await missing(Object.keys(LAB.python))].map((places) => places.length > 0);
  const state = { type: "kept", pages: !gone[0], python: !gone[1], busy, trouble };
  for (const page of await clients.matchAll({ type: "window", includeUncontrolled: true })) page.postMessage(state);
}

async function forget() {
  forgotten = true;
  for (const name of await caches.keys()) if (name.startsWith(PREFIX)) await caches.delete(name);
  await self.registration.unregister();
}

/* Files of older versions go when no page is open that might still want them. */
async function tidy() {
  const { installing, waiting } = self.registration;
  if (installing || waiting || (await clients.matchAll({ type: "window", includeUncontrolled: true })).length) return;
  for (const name of await caches.keys()) if (name.startsWith(PREFIX) && name !== SHARED && name !== VERSION) await caches.delete(name);
  const shared = await caches.open(SHARED);
  for (const request of await shared.keys()) if (!placeOf(request.url)) await shared.delete(request);
}

/* ---------- answering ---------- */

/* The kept file, else the host's. A page's Python asks with "reload" when what it got was broken: then the host's first. */
async function answer(request, place, later) {
  const kept = await keptFile(place);
  if (kept && request.cache !== "reload") return kept;
  const arriving = bring(place, request);
  later(arriving.kept.catch(() => {}));
  try {
    return (await arriving.response).clone();
  } catch (error) {
    if (kept) return kept;
    throw error;
  }
}

/* A file of an older version, for a page of that version that is still open. */
async function olderFile(request) {
  return (await (await caches.open(SHARED)).match(request.url, { ignoreVary: true })) ?? fetch(request);
}

async function anyPage(request) {
  try {
    return await fetch(request);
  } catch (error) {
    const page = await keptFile("404.html");
    if (!page) throw error;
    return new Response(page.body, { status: 404, headers: page.headers });
  }
}

addEventListener("install", (event) => event.waitUntil(install()));

addEventListener("activate", (event) => event.waitUntil(tidy().then(() => clients.claim()).then(() => tell())));

addEventListener("message", (event) => {
  const work = ANSWERS[event.data?.type];
  if (work) event.waitUntil(work(event.data));
});

addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || forgotten) return;
  const later = (work) => event.waitUntil(work);
  const place = placeOf(request.url);
  if (request.mode === "navigate") later(tidy().catch(() => {}));
  if (place) event.respondWith(answer(request, place, later));
  else if (request.mode === "navigate") event.respondWith(anyPage(request));
  else if (request.url.startsWith(self.registration.scope) && isShared(request.url.slice(self.registration.scope.length))) event.respondWith(olderFile(request));
});
