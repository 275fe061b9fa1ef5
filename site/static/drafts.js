/*
 * What a reader wrote, kept in this browser and nowhere else. Where storage is refused, as in some private windows, it is kept
 * as long as the page is open.
 */
"use strict";

const gpuLabDrafts = (() => {
  const PREFIX = "gpu-lab-draft ";
  const here = new Map();

  function keep(name, text) {
    here.set(name, text);
    try {
      localStorage.setItem(PREFIX + name, text);
    } catch {
      // refused or full: the map has it
    }
  }

  function get(name) {
    if (here.has(name)) return here.get(name);
    try {
      return localStorage.getItem(PREFIX + name);
    } catch {
      return null;
    }
  }

  function drop(name) {
    here.delete(name);
    try {
      localStorage.removeItem(PREFIX + name);
    } catch {
      // nothing was kept there
    }
  }

  return { keep, get, drop };
})();
