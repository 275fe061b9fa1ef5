/*
 * Small tools of the page element: changing a picture in place, reading numbers and fields, sentences. No state.
 */
"use strict";

const gpuLabTools = (() => {
  /* A sentence with `values` at its {names}. For a page in another language the build puts that language's text in the place of
     this one (see builder/wording.py), so the text must be written out here, in double quotes. */
  const say = (text, values = {}) => text.replace(/\{([a-z_]+)\}/g, (_, name) => values[name]);

  /* Makes `node` look like `html` with as little change as possible: what has the same shape stays, and with it focus,
     scroll positions, open folds and typed text. `html` comes from the build or from Python, never from the address. */
  function morph(node, html) {
    const changes = planned.get(node)?.get(html) ?? changesTo(node, html);
    planned.delete(node); // they led away from the picture that goes now
    for (const change of changes) change();
  }

  /* A reader's program runs beside the model and could change what it answers: nothing of it may load, submit or lead away.
     (Scripts and handlers are refused by the page's policy.) */
  const NOT_HERE = "base, embed, fencedframe, form, frame, iframe, link, meta, object, portal, script, style, template";
  function parse(html) {
    const template = document.createElement("template");
    template.innerHTML = html;
    for (const node of template.content.querySelectorAll(NOT_HERE)) node.remove();
    for (const link of template.content.querySelectorAll('[href]:not([href^="#"]), [*|href]:not([href])')) link.replaceWith(...link.childNodes);
    return template.content;
  }

  /* Works out what would have to change for the likely next pictures, while nothing else is to be done: then a step
     makes only the changes. Until then each node stays as it is, as nothing but morph() changes what it holds. */
  const planned = new WeakMap(); // node -> Map(html -> changes)
  function expect(node, pages) {
    const later = window.requestIdleCallback ?? ((work) => setTimeout(work, 50));
    const plans = new Map();
    planned.set(node, plans);
    for (const html of pages) later(() => planned.get(node) === plans && plans.set(html, changesTo(node, html)));
  }

  /* When nothing else is to be done, or at the latest after `ms`: a page that draws nothing may never be called idle. */
  function whenIdle(work, ms) {
    if (window.requestIdleCallback) requestIdleCallback(work, { timeout: ms });
    else setTimeout(work, 200);
  }

  function changesTo(node, html) {
    const changes = [];
    compareChildren(node, parse(html), changes);
    return changes;
  }

  /* isEqualNode is the browser's own and fast: most rows of a picture stay as they are from one step to the next. */
  function compareChildren(from, to, changes) {
    const wanted = [...to.childNodes];
    const there = [...from.childNodes];
    wanted.forEach((next, i) => {
      const old = there[i];
      if (!old) changes.push(() => from.append(next));
      else if (old.isEqualNode(next)) return;
      else if (old.nodeName !== next.nodeName || (old.id ?? "") !== (next.id ?? "")) changes.push(() => old.replaceWith(next));
      else if (next.nodeType !== Node.ELEMENT_NODE) {
        if (old.data !== next.data) changes.push(() => (old.data = next.data));
      } else {
        compareAttributes(old, next, changes);
        compareChildren(old, next, changes);
      }
    });
    for (const old of there.slice(wanted.length)) changes.push(() => old.remove());
  }

  function compareAttributes(old, next, changes) {
    for (const { name } of old.attributes) if (!next.hasAttribute(name) && name !== "open") changes.push(() => old.removeAttribute(name));
    for (const { name, value } of next.attributes) if (old.getAttribute(name) !== value) changes.push(() => old.setAttribute(name, value));
  }

  const setAttribute = (node, name, value) => node.getAttribute(name) !== value && node.setAttribute(name, value);
  const setText = (node, text) => node && node.textContent !== text && (node.textContent = text);
  const pairs = (query) => Object.fromEntries(new URLSearchParams(query));
  const megabytes = (bytes) => (bytes / 1e6).toFixed(1);

  /* Two settings are the same when they agree in everything that is not empty. */
  const signature = (settings) =>
    JSON.stringify(
      Object.entries(settings)
        .filter(([, value]) => value !== "")
        .sort(),
    );

  /* "1,024" -> "1024", "−3.50" -> "-3.5", "+007" -> "7"; null when it is not a number. */
  function plainNumber(text) {
    const bare = text.replace(/[\s,_\u2009\u202f']/g, "").replace(/^[−–]/, "-");
    const match = /^([+-]?)0*(\d*)(?:\.(\d*?)0*)?$/.exec(bare);
    if (!match || !/\d/.test(bare)) return null;
    const digits = (match[2] || "0") + (match[3] ? "." + match[3] : "");
    return match[1] === "-" && digits !== "0" ? "-" + digits : digits;
  }

  /* The sentence for what a field may not hold, or "": the same that lab.problem.given makes. Python checks again, and what only it can check. */
  function complaint(field, text) {
    const { kind, min, max } = field.dataset;
    if (kind === "choice") {
      const allowed = [...field.options].map((option) => option.value);
      return allowed.includes(text) ? "" : given(field.dataset.label, text, allowed.join(", "));
    }
    if (kind !== "integer") return "";
    const bare = text.trim().replace("−", "-");
    const fits = /^-?[0-9]{1,20}$/.test(bare) && Number(bare) >= Number(min) && Number(bare) <= Number(max);
    return fits ? "" : given(field.dataset.label, text, field.dataset.allowed);
  }

  function given(what, text, allowed) {
    const shown = text.trim() ? `“${[...text].slice(0, 40).join("")}”` : say("nothing");
    return say("{what}: given {shown}; allowed: {allowed}", { what, shown, allowed });
  }

  /* The text as Python will write it, where that is simple; enough to find a prepared view. */
  const canonical = (field, text) => (field?.dataset.kind === "integer" ? String(Number(text.trim().replace("−", "-"))) : field?.dataset.kind === "code" ? text : text.trim());

  function element(name, properties = {}) {
    return Object.assign(document.createElement(name), properties);
  }

  /* Hides a button; if it had the focus, the first of the others that can be seen takes it over. */
  function hide(button, ...others) {
    const had = document.activeElement === button;
    button.hidden = true;
    if (had) others.find((other) => !other.hidden)?.focus({ preventScroll: true });
  }

  /* Is a node, up to `limit`, inside a box that can be scrolled sideways? */
  function inWideBox(node, limit) {
    for (; node && node !== limit; node = node.parentElement) {
      if (node.scrollWidth > node.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(node).overflowX)) return true;
    }
    return false;
  }

  /* Scrolls the box that a node lies in, never the page, so that the node can be seen. */
  function keepInView(node, box) {
    if (!node || !box) return;
    const above = node.getBoundingClientRect().top - box.getBoundingClientRect().top;
    if (above < 0 || above > box.clientHeight - 2 * node.offsetHeight) box.scrollTop += above - box.clientHeight / 2;
  }

  /* A step from 0, of the text that an address has from 1; a bad one gives the first and a notice. */
  function stepFrom(text, count, notices) {
    if (text === undefined) return 0;
    if (/^[0-9]{1,9}$/.test(text) && text >= 1 && text <= count) return text - 1;
    notices.push(given(say("step"), text, say("a whole number from {low} to {high}", { low: 1, high: count })));
    return 0;
  }

  return { say, morph, parse, expect, whenIdle, setAttribute, setText, pairs, megabytes, signature, plainNumber, complaint, given, canonical, stepFrom, element, hide, keepInView, inWideBox };
})();
