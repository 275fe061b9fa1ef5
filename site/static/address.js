/*
 * The address of the page as the state of its widgets: ?ELEMENT.name=value&ELEMENT.step=2, for what is not as usual.
 */
"use strict";

const gpuLabAddress = (() => {
  const MOST = 60; // browsers refuse to rewrite the address much more often than this in 10 s
  const WITHIN_MS = 10_000;
  const writes = [];

  /* The pairs [name, value] that the address has for one element, as text and unchecked. */
  function read(id, search = location.search) {
    const start = `${id}.`;
    return [...new URLSearchParams(search)].filter(([key]) => key.startsWith(start)).map(([key, value]) => [key.slice(start.length), value]);
  }

  /* Pushes or replaces: of `pairs` [name, value, usual] those whose value is not the usual one. All others' pairs stay. */
  function write(how, id, pairs) {
    const query = new URLSearchParams(location.search);
    for (const key of [...query.keys()]) if (key.startsWith(`${id}.`)) query.delete(key);
    for (const [name, value, usual] of pairs) if (value !== usual) query.set(`${id}.${name}`, value);
    const search = query.toString() && `?${query}`;
    if (search === location.search) return;
    writes.push(Date.now());
    try {
      history[how === "push" ? "pushState" : "replaceState"](null, "", location.pathname + search + location.hash);
    } catch {
      // refused, as for a page opened from a file: what is shown is right all the same
    }
  }

  /* Were there so many changes just now that the next one had better wait? */
  function crowded() {
    const now = Date.now();
    while (writes[0] < now - WITHIN_MS) writes.shift();
    return writes.length >= MOST;
  }

  return { read, write, crowded, PAUSE_MS: WITHIN_MS / MOST };
})();
