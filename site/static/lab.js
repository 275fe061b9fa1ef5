/*
 * The one page element of GPU Lab, <gpu-lab-widget>. Nothing about matrices is computed here: views and frames come ready-made
 * from the build (gpuLabFrames) or from lab.bridge, which python.js asks. The states of the page's Python:
 *
 *                a request that was not prepared            "ready"
 *     prepared ─────────────────────────────────▶ starting ─────────▶ live
 *        ▲                                         │  ▲  │             │ │
 *        └──────────────────── Stop ───────────────┘  │  │             │ └──▶ Stop: prepared
 *                                                     │  ▼             ▼
 *                    Retry, or any later request  └──── failed ◀───────┘ no answer for 10 s, or the worker broke
 *                                                        (a file blocked, cut off, damaged; no news for 20 s)
 *
 * In every state the last true frame stays and the prepared settings step. Each thing the reader asks for is a new `turn`;
 * an answer to an earlier turn is dropped, also when a field was changed meanwhile.
 *
 * What the element can do lies in files of their own, each adding methods to a class: stepping, swiping, showing, telling, linking, writing, files.
 */
"use strict";

(() => {
  const python = gpuLabPython;
  const { say, setText, pairs, signature, element, inWideBox } = gpuLabTools;

  const prepared = new Map(); // widget name -> Map(signature of settings -> view)
  window.gpuLabFrames = (widgets) => {
    for (const [name, views] of Object.entries(widgets)) {
      prepared.set(name, new Map(Object.values(views).map((view) => [signature(view.settings), view])));
    }
  };

  const unlinkedDefaults = (fields) =>
    Object.fromEntries(Object.entries(fields).filter(([, field]) => field.type === "hidden" || field.dataset.kind === "code").map(([name, field]) => [name, field.defaultValue]));

  const parts = [gpuLabStepping, gpuLabSwiping, gpuLabShowing, gpuLabTelling, gpuLabLinking, gpuLabWriting, gpuLabFiling];

  class GpuLabWidget extends parts.reduce((Base, part) => part(Base), HTMLElement) {
    connectedCallback() {
      if (this.defaults) return;
      this.widget = this.dataset.widget;
      this.fields = Object.fromEntries([...this.form.elements].filter((field) => field.name).map((field) => [field.name, field]));
      const usual = { ...pairs(this.dataset.key), ...unlinkedDefaults(this.fields) };
      this.defaults = Object.fromEntries([...Object.keys(this.fields), ...Object.keys(usual)].map((name) => [name, usual[name] ?? ""]));
      this.view = this.listed(this.defaults) ?? this.builtView();
      this.build();
      this.listen();
      this.refresh();
      this.fromAddress(true);
      this.restoreDrafts();
    }

    /* What the build wrote into the page, should the file with the prepared frames be missing. */
    builtView() {
      const first = { html: this.piece("frame").innerHTML, say: this.piece("say").textContent };
      return { settings: this.defaults, count: Number(this.dataset.count), made: new Map([[0, first]]), replies: {}, panels: {}, parts: {}, note: "" };
    }

    get form() {
      return this.querySelector("form");
    }
    piece(name) {
      return this.querySelector(`[data-slot="${name}"]`);
    }
    act(name) {
      return this.querySelector(`[data-act="${name}"]`);
    }
    /* The language of this figure: the page's, or English on a page where nobody has translated it. */
    get language() {
      return this.closest("[lang]").lang;
    }
    listed(settings) {
      return prepared.get(this.widget)?.get(signature(settings));
    }

    /* What only a running script needs: the state line's parts, ids for descriptions. */
    build() {
      this.piece("position").setAttribute("aria-live", "off"); // one announcement a step: the sentence
      if (this.lang) for (const name of ["notice", "state", "position"]) this.piece(name).lang = document.documentElement.lang; // these lines are the page's
      this.act("slider").setAttribute("autocomplete", "off"); // Firefox would restore another step than the address has
      this.act("play").removeAttribute("aria-pressed"); // its label changes instead
      this.piece("notice").id ||= `${this.id}-notice`;
      const state = this.piece("state");
      this.status = element("span", { role: "status", textContent: state.textContent.trim() });
      this.bar = element("progress", { hidden: true });
      this.bar.setAttribute("aria-label", say("Python starting"));
      this.amount = element("span", { className: "w-amount" });
      this.again = element("button", { type: "button", hidden: true });
      this.again.dataset.act = "again";
      const words = element("span");
      words.append(this.status, this.amount);
      state.replaceChildren(words, this.bar, this.again);
    }

    listen() {
      this.addEventListener("click", (event) => this.clicked(event));
      this.addEventListener("keydown", (event) => this.pressed(event));
      this.addEventListener("focusin", ({ target }) => requestAnimationFrame(() => this.uncover(target)));
      this.addEventListener("input", (event) => this.typed(event));
      this.listenToTouch();
      this.addEventListener("toggle", (event) => event.target.dataset.panel && this.fillPanel(event.target), true);
      this.form.addEventListener("submit", (event) => {
        event.preventDefault();
        this.apply(this.typedSettings(), { compare: true, live: true });
      });
      this.listenForFiles();
      python.watchers.add(() => this.tellState());
    }

    /* ---------- what the reader does ---------- */

    clicked(event) {
      const button = event.target.closest("button, [data-set], [data-step]");
      if (!button || !this.contains(button)) return;
      const { set, step, stops, keep } = button.dataset;
      if (set) return void this.apply({ ...this.typedSettings(), ...pairs(set) }, keep === undefined ? {} : { step: String(this.at + 1), keep: true });
      if (step) return void this.go(Number(step));
      if (stops) return void this.go(this.stopFor(button));
      const moves = { first: 0, previous: this.target - 1, next: this.target + 1, last: this.view.count - 1 };
      const act = button.dataset.act;
      if (act in moves) this.go(moves[act]);
      else if (act === "play") this.playing ? this.pause() : this.play();
      else if (act === "stop") this.stop();
      else if (act === "again") this.onAgain?.();
      else if (act === "fresh") this.startOver();
    }

    /* Arrow keys step, unless they have something else to do where the focus is. */
    pressed(event) {
      if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.isComposing) return;
      const moves = { ArrowLeft: this.target - 1, ArrowRight: this.target + 1, Home: 0, End: this.view.count - 1 };
      const [target] = event.composedPath(); // inside the editor's shadow root, too
      if (!(event.key in moves) || target.closest("input, textarea, select, [contenteditable]")) return;
      if (inWideBox(target, this)) return;
      if (this.go(moves[event.key])) event.preventDefault();
    }

    /* What has the focus is not left beneath the player, which stays in view: all of it, or a part of what is taller than the screen. */
    uncover(target) {
      const player = this.querySelector(".w-player");
      if (target !== document.activeElement || !(player.compareDocumentPosition(target) & Node.DOCUMENT_POSITION_FOLLOWING)) return;
      if (player.contains(target)) return;
      const { bottom: top } = player.getBoundingClientRect();
      const { bottom, height } = target.getBoundingClientRect();
      const missing = top + (height <= innerHeight - top ? height : 64) - bottom;
      if (missing > 0) scrollBy(0, -missing);
    }

    typed({ target }) {
      if (target.dataset.act === "slider") return void this.go(Number(target.value));
      if (!target.name) return;
      this.keepDraft(target);
      this.complain(target, "");
      if (!this.busy) return;
      this.drop();
      this.report(say("The settings were changed while they were being computed. Run computes the new ones."));
    }

    typedSettings() {
      return Object.fromEntries(Object.keys(this.defaults).map((name) => [name, this.fields[name]?.value ?? this.view.settings[name] ?? ""]));
    }

    stop() {
      this.drop();
      python.stop();
      this.report(say("Stopped. What is shown was computed before."));
    }
  }

  /* After all deferred scripts, so that the prepared frames are there. */
  const define = () => customElements.define("gpu-lab-widget", GpuLabWidget);
  if (document.readyState === "loading" || document.readyState === "interactive") document.addEventListener("DOMContentLoaded", define, { once: true });
  else define();
})();
