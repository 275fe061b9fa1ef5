/*
 * What a reader wrote, kept in this browser and nowhere else: for this tab, which finds its own text again after a reload, and
 * for the next tab. Where storage is refused, as in some private windows, it is kept as long as the page is open.
 */
"use strict";

const gpuLabDrafts = (() => {
  const PREFIX = "gpu-lab-draft ";
  const here = new Map();

  /* Does `work` with both stores, so far as they are given; the first answer that is not null. */
  function stored(work) {
    for (const store of ["sessionStorage", "localStorage"]) {
      try {
        const answer = work(window[store]) ?? null;
        if (answer !== null) return answer;
      } catch {
        // refused or full: the map has what was written
      }
    }
    return null;
  }

  function keep(name, text) {
    here.set(name, text);
    stored((store) => store.setItem(PREFIX + name, text));
  }

  const get = (name) => here.get(name) ?? stored((store) => store.getItem(PREFIX + name));

  function drop(name) {
    here.delete(name);
    stored((store) => store.removeItem(PREFIX + name));
  }

  return { keep, get, drop };
})();
