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
 */
"use strict";

(() => {
  const python = gpuLabPython;
  const address = gpuLabAddress;
  const drafts = gpuLabDrafts;
  const { morph, expect, setAttribute, setText, pairs, megabytes, signature, plainNumber, complaint, given, canonical, stepFrom, element, hide, keepInView, scrolls } = gpuLabTools;
  const PLAY_MS = 1_200;
  const STOP_AFTER_MS = 200; // an answer that comes sooner needs no Stop button

  const prepared = new Map(); // widget name -> Map(signature of settings -> view)
  window.gpuLabFrames = (widgets) => {
    for (const [name, views] of Object.entries(widgets)) {
      prepared.set(name, new Map(Object.values(views).map((view) => [signature(view.settings), view])));
    }
  };

  const unlinkedDefaults = (fields) =>
    Object.fromEntries(Object.entries(fields).filter(([, field]) => field.type === "hidden" || field.dataset.kind === "code").map(([name, field]) => [name, field.defaultValue]));

  class GpuLabWidget extends HTMLElement {
    turn = 0;
    busy = false; // a view is being waited for
    at = 0; // the step on the page, from 0
    target = 0; // the step the reader is on the way to

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

    /* The names of fields that hold the reader's own program: kept in this browser, never in an address. */
    get codes() {
      return Object.keys(this.fields).filter((name) => this.fields[name].dataset.kind === "code");
    }

    /* These and what is fixed for this place of the page. */
    get unlinked() {
      return Object.keys(this.fields).filter((name) => this.fields[name].type === "hidden" || this.codes.includes(name));
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
    listed(settings) {
      return prepared.get(this.widget)?.get(signature(settings));
    }

    /* What only a running script needs: the state line's parts, ids for descriptions. */
    build() {
      this.piece("position").setAttribute("aria-live", "off"); // one announcement a step: the sentence
      this.act("slider").setAttribute("autocomplete", "off"); // Firefox would restore another step than the address has
      this.act("play").removeAttribute("aria-pressed"); // its label changes instead
      this.piece("notice").id ||= `${this.id}-notice`;
      const state = this.piece("state");
      this.status = element("span", { role: "status", textContent: state.textContent.trim() });
      this.bar = element("progress", { hidden: true });
      this.bar.setAttribute("aria-label", "Python starting");
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
      this.addEventListener("input", (event) => this.typed(event));
      this.addEventListener("toggle", (event) => event.target.dataset.panel && this.fillPanel(event.target), true);
      this.form.addEventListener("submit", (event) => {
        event.preventDefault();
        this.apply(this.typedSettings(), { compare: true, live: true });
      });
      python.watchers.add(() => this.tellState());
    }

    /* ---------- what the reader does ---------- */

    clicked(event) {
      const button = event.target.closest("button, [data-set]");
      if (!button || !this.contains(button)) return;
      if (button.dataset.set) return void this.apply({ ...this.typedSettings(), ...pairs(button.dataset.set) });
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
      for (let node = target; node && node !== this; node = node.parentElement) if (node.scrollWidth > node.clientWidth + 1 && scrolls(node)) return;
      if (this.go(moves[event.key])) event.preventDefault();
    }

    typed({ target }) {
      if (target.dataset.act === "slider") return void this.go(Number(target.value));
      if (!target.name) return;
      if (target.dataset.kind === "code") drafts.keep(this.draftName(target.name), target.value);
      this.complain(target, "");
      if (!this.busy) return;
      this.drop();
      this.say("The settings were changed while they were being computed. Run computes the new ones.");
    }

    typedSettings() {
      return Object.fromEntries(Object.keys(this.defaults).map((name) => [name, this.fields[name]?.value ?? this.view.settings[name] ?? ""]));
    }

    draftName(name) {
      return [location.pathname, this.id, name].join(" ");
    }

    restoreDrafts() {
      for (const name of this.codes) {
        const kept = drafts.get(this.draftName(name));
        if (kept !== null) this.put(this.fields[name], kept);
      }
    }

    put(field, text) {
      field.value = text;
      field.dispatchEvent(new CustomEvent("gpu-lab-text", { bubbles: true })); // an editor that stands for the field follows
    }

    /* Asks once more by its own label, because the text is gone afterwards. */
    startOver() {
      const button = this.act("fresh");
      if (!button.dataset.sure && this.codes.some((name) => this.fields[name].value !== this.fields[name].defaultValue)) {
        button.dataset.sure = "yes";
        setText(button, "Press again to lose your text");
        return;
      }
      delete button.dataset.sure;
      setText(button, "Start over");
      for (const name of this.codes) {
        drafts.drop(this.draftName(name));
        this.put(this.fields[name], this.fields[name].defaultValue);
        this.fields[name].focus();
      }
    }

    stop() {
      this.drop();
      python.stop();
      this.say("Stopped. What is shown was computed before.");
    }

    /* ---------- steps ---------- */

    /* Goes to a step, waiting for Python where it must; true when there was somewhere to go. */
    go(step, { byPlay = false, quiet = false } = {}) {
      if (!byPlay) this.pause();
      if (!(step >= 0 && step < this.view.count) || (step === this.target && step === this.at)) return false;
      const frame = this.frame(step);
      if (this.busy && !frame) return false; // Python is making another view
      if (!this.busy) this.drop();
      this.target = step;
      if (frame) this.draw(frame, step, quiet);
      else this.wait(() => this.fetchFrame(step), (made) => this.draw(made, step, quiet), () => this.go(step));
      return true;
    }

    frame(step) {
      return this.view.frames?.[step] ?? this.view.made?.get(step);
    }

    async fetchFrame(step) {
      const { view } = this;
      const answer = await python.ask({ op: "frame", widget: this.widget, settings: view.settings, step: String(step + 1) });
      if (answer.problem) throw new Error(answer.problem);
      view.made.set(step, answer.frame);
      return answer.frame;
    }

    draw(frame, step, quiet) {
      this.at = this.target = step;
      morph(this.piece("frame"), frame.html);
      this.piece("frame").dispatchEvent(new CustomEvent("gpu-lab-drawn", { bubbles: true }));
      keepInView(this.querySelector(".source-line.now"), this.querySelector(".source"));
      setText(this.piece("say"), frame.say);
      this.refresh();
      if (!quiet) this.writeSoon();
      const next = step + 1 < this.view.count ? this.frame(step + 1) : undefined;
      expect([next, step ? this.frame(step - 1) : undefined].filter(Boolean).map((near) => near.html));
      if (!next && step + 1 < this.view.count && python.state === "live") this.fetchFrame(step + 1).catch(() => {});
      if (this.playing) this.playing = setTimeout(() => this.advance(), PLAY_MS);
    }

    /* Position, slider and the two ends. A button at an end stays focusable: aria-disabled, not disabled. */
    refresh() {
      const { count } = this.view;
      const position = `step ${this.at + 1} of ${count}`;
      const slider = this.act("slider");
      setText(this.piece("position"), position);
      setAttribute(slider, "max", String(count - 1));
      slider.value = this.at;
      setAttribute(slider, "aria-valuetext", position);
      for (const act of ["first", "previous"]) setAttribute(this.act(act), "aria-disabled", String(this.at === 0));
      for (const act of ["next", "last"]) setAttribute(this.act(act), "aria-disabled", String(this.at === count - 1));
      setAttribute(this.act("play"), "aria-disabled", String(count === 1));
    }

    play() {
      if (this.view.count === 1) return;
      this.labelPlay(true);
      this.playing = setTimeout(() => this.advance(), this.at === this.view.count - 1 ? 0 : PLAY_MS / 2);
    }

    advance() {
      const next = this.at === this.view.count - 1 ? 0 : this.at + 1;
      this.go(next, { byPlay: true });
      if (next === this.view.count - 1) this.pause();
    }

    pause() {
      clearTimeout(this.playing);
      this.playing = null;
      this.labelPlay(false);
    }

    labelPlay(playing) {
      const button = this.act("play");
      button.toggleAttribute("data-playing", playing);
      setText(button.querySelector(".word"), playing ? "Pause" : "Play");
    }

    /* ---------- settings ---------- */

    /* Shows the view of `wanted`, ready-made or computed. `history` is what becomes of the address: push, replace or keep.
       `live` prefers Python, once it runs, to a prepared view. A prediction is compared when `compare` is set. */
    apply(wanted, options = {}) {
      this.pause();
      for (const [name, field] of Object.entries(this.fields)) {
        const sentence = complaint(field, wanted[name]);
        if (sentence) return this.refuse(sentence, name);
      }
      const settings = Object.fromEntries(Object.entries(wanted).map(([name, text]) => [name, canonical(this.fields[name], text)]));
      const listed = this.listed(settings);
      if (listed && !(options.live && python.state === "live")) {
        this.drop();
        return this.showListed(listed, { ...options, wanted });
      }
      const request = { op: "view", widget: this.widget, settings, step: options.step ?? "1" };
      const again = () => this.apply(wanted, options);
      this.wait(() => python.ask(request), (answer) => this.hear(answer, wanted, options), again, listed && (() => this.showListed(listed, { ...options, wanted })));
      this.busy = true;
    }

    showListed(view, options) {
      const notices = [...(options.notices ?? [])];
      this.show(view, stepFrom(options.step, view.count, notices), { ...options, notices });
    }

    hear(answer, wanted, options) {
      if (!answer.problem) {
        const view = { ...answer.view, made: new Map([[answer.step, answer.frame]]), by: python.version };
        return this.show(view, answer.step, { ...options, wanted, notices: [...(options.notices ?? []), answer.notice] });
      }
      const { problem, field } = answer;
      if (!options.fallBack || !(field in wanted) || wanted[field] === this.defaults[field]) return this.refuse(problem, field, options.notices);
      this.apply({ ...wanted, [field]: this.defaults[field] }, { ...options, notices: [...(options.notices ?? []), problem] });
    }

    show(view, step, { history = "push", compare = false, notices = [], force = false, wanted = {} }) {
      const changed = signature(view.settings) !== signature(this.view.settings);
      const before = this.view;
      if (this.unwritten) this.writeAddress("replace"); // Back must find the step that was left
      this.view = view;
      this.fill(view.settings, { force, before: before.settings, wanted });
      for (const [part, html] of Object.entries(view.parts)) morph(this.querySelector(`[data-part="${part}"]`), html);
      for (const panel of this.querySelectorAll("details[data-panel]")) this.fillPanel(panel);
      this.notify([...notices, view.note]);
      if (changed || compare) this.piece("verdict").replaceChildren();
      if (changed && before.parts.asks !== view.parts.asks) this.forgetPredictions();
      if (compare) this.compare();
      this.draw(this.frame(step), step, true);
      if (history !== "keep") this.writeAddress(changed ? history : "replace");
      this.say(this.origin());
    }

    /* What computed the numbers in sight. */
    origin() {
      return this.view.by ? `Computed in this page by Python ${this.view.by}.` : "Prepared by the same Python code.";
    }

    /* A prediction belongs to its question: another output, say, asks another one. */
    forgetPredictions() {
      for (const field of this.querySelectorAll("[data-ask]")) field.value = "";
    }

    /* Puts settings into the fields. What the reader typed and has not run stays, unless that very setting changed; a matrix
       that was run stays as it was typed. */
    fill(settings, { force = false, before = {}, wanted = {} }) {
      for (const [name, field] of Object.entries(this.fields)) {
        const value = settings[name] ?? "";
        const asTyped = ["matrix", "code"].includes(field.dataset.kind) && field.value === wanted[name];
        if (force || (value !== (before[name] ?? "") && !asTyped)) field.value = value;
        this.complain(field, "");
      }
    }

    /* ---------- predictions ---------- */

    compare() {
      const verdict = this.piece("verdict");
      for (const field of this.querySelectorAll("[data-ask]")) {
        const reply = this.view.replies[field.dataset.ask];
        if (!reply || !field.value.trim()) continue;
        const guess = field.matches("select") ? field.value : plainNumber(field.value);
        const line = element("div");
        if (guess === null) line.append(element("p", { className: "verdict-none", textContent: field.dataset.notnumber ?? "" }));
        else line.innerHTML = guess === reply.answer ? reply.right : Object.hasOwn(reply.known, guess) ? reply.known[guess] : reply.other;
        verdict.append(line);
      }
    }

    /* ---------- panels ---------- */

    /* What a panel holds is of this view or nothing: a prepared panel, or one that is asked for when it is opened. */
    fillPanel(panel) {
      const { view } = this;
      const slot = panel.querySelector('[data-slot="panel"]');
      const name = panel.dataset.panel;
      if (!slot) return;
      if (view.panels[name] !== undefined) return morph(slot, view.panels[name]);
      if (!view.frames && !view.by) return; // the frames file is missing: what the build wrote stays
      if (!panel.open) return slot.replaceChildren();
      slot.replaceChildren("Being computed …");
      python.ask({ op: "panel", widget: this.widget, settings: view.settings, panel: name }).then(
        (answer) => {
          if (answer.html !== undefined) view.panels[name] = answer.html;
          if (view === this.view) answer.problem ? slot.replaceChildren(answer.problem) : morph(slot, answer.html);
        },
        (failure) => view === this.view && slot.replaceChildren(`${failure.message} Close and open this panel to try again.`),
      );
    }

    /* ---------- waiting, failing, telling ---------- */

    drop() {
      this.turn += 1;
      this.busy = false;
      this.target = this.at;
      this.showWaiting(false);
    }

    /* Does `work` and then `done`, unless the reader has moved on. When it fails: `lost`, if there is one, then the sentence. */
    async wait(work, done, again, lost) {
      const turn = ++this.turn;
      this.showWaiting(true);
      try {
        const result = await work();
        if (turn !== this.turn) return;
        this.busy = false;
        this.showWaiting(false);
        done(result);
      } catch (failure) {
        if (turn !== this.turn) return;
        this.drop();
        this.pause();
        lost?.();
        this.say(failure.message, again, "Retry");
      }
    }

    showWaiting(waiting) {
      this.waiting = waiting;
      this.piece("frame").toggleAttribute("aria-busy", waiting);
      clearTimeout(this.stopTimer);
      if (!waiting && /^(Computing|Starting)/.test(this.status.textContent)) this.say(this.origin());
      const stop = this.act("stop");
      if (!waiting) hide(stop, this.querySelector(".w-run"));
      else if (python.state !== "live") stop.hidden = false;
      else this.stopTimer = setTimeout(() => (stop.hidden = false), STOP_AFTER_MS);
      this.tellState();
    }

    /* While this widget waits, the state line follows Python's start. */
    tellState() {
      this.dataset.state = python.state;
      const { progress, state } = python;
      const starting = this.waiting && state === "starting";
      this.bar.hidden = !starting;
      setText(this.amount, "");
      if (!this.waiting) return;
      hide(this.again, this.act("stop"), this.querySelector(".w-run"));
      if (!starting) return void setText(this.status, state === "live" ? "Computing …" : "");
      setText(this.status, "Starting Python");
      if (!progress) return void this.bar.removeAttribute("value");
      setText(this.amount, `: ${megabytes(progress.loaded)} of ${megabytes(progress.total)} MB${progress.loaded < progress.total ? "" : ", now unpacking"}`);
      this.bar.max = progress.total;
      this.bar.value = progress.loaded;
    }

    say(sentence, again = null, label = "") {
      setText(this.status, sentence);
      this.onAgain = again;
      setText(this.again, label);
      if (again) this.again.hidden = false;
      else hide(this.again, this.querySelector(".w-run"));
    }

    notify(sentences) {
      const notice = this.piece("notice");
      const text = sentences.filter(Boolean).join(" ");
      notice.hidden = !text;
      setText(notice, text);
    }

    /* A sentence beside the field it is about; everything shown stays as it is. */
    refuse(sentence, name, notices = []) {
      this.drop();
      this.notify([...notices, sentence]);
      const field = this.fields[name];
      if (!field) return;
      this.complain(field, sentence);
      for (let fold = field.closest("details"); fold && this.contains(fold); fold = fold.parentElement.closest("details")) fold.open = true;
      field.focus();
    }

    complain(field, sentence) {
      if (sentence) {
        field.setAttribute("aria-invalid", "true");
        field.setAttribute("aria-describedby", this.piece("notice").id);
      } else if (field.hasAttribute("aria-invalid")) {
        field.removeAttribute("aria-invalid");
        field.removeAttribute("aria-describedby");
        this.notify([]);
      }
    }

    /* ---------- the address ---------- */

    /* The address is the state: read strictly at load, after Back and Forward, and when the page comes back from the cache. */
    fromAddress(first = false) {
      clearTimeout(this.addressTimer);
      this.unwritten = false;
      const wanted = { ...this.defaults };
      const notices = [];
      let step;
      for (const [name, value] of address.read(this.id)) {
        const sentence = this.complaintAbout(name, value);
        if (sentence) notices.push(sentence);
        else if (name === "step") step = value;
        else wanted[name] = canonical(this.fields[name], value);
      }
      if (signature(wanted) === signature(this.view.settings)) {
        this.drop();
        const at = stepFrom(step, this.view.count, notices);
        this.fill(this.view.settings, { force: first });
        this.notify([...notices, this.view.note]);
        return void this.go(at, { quiet: true });
      }
      const options = { step, history: "keep", notices, fallBack: true, force: first };
      if (this.listed(wanted) || !python.unfinished) return void this.apply(wanted, options);
      this.fill(wanted, { force: first });
      this.say("The last start of Python in this tab did not finish, so it does not start by itself.", () => this.apply(wanted, options), "Start Python");
    }

    complaintAbout(name, value) {
      if (name === "step") return "";
      const known = Object.keys(this.defaults).filter((each) => !this.unlinked.includes(each)); // code does not run from a link
      return known.includes(name) ? complaint(this.fields[name], value) : given("setting", name, known.join(", ") || "none");
    }

    /* After the step has been painted: rewriting the address takes as long as drawing some steps. */
    writeSoon() {
      clearTimeout(this.addressTimer);
      this.unwritten = true;
      requestAnimationFrame(() => (this.addressTimer = setTimeout(() => this.unwritten && this.writeAddress("replace"), 0)));
    }

    /* Writes what differs from the defaults; pairs of others are kept. `how` is push or replace. */
    writeAddress(how) {
      clearTimeout(this.addressTimer);
      this.unwritten = false;
      if (how === "replace" && address.crowded()) return void (this.addressTimer = setTimeout(() => this.writeAddress(how), address.PAUSE_MS));
      const linked = Object.entries(this.defaults).filter(([name]) => !this.unlinked.includes(name));
      const settings = linked.map(([name, usual]) => [name, this.view.settings[name] ?? "", usual]);
      address.write(how, this.id, [...settings, ["step", String(this.at + 1), "1"]]);
    }
  }

  /* After all deferred scripts, so that the prepared frames are there. */
  const define = () => customElements.define("gpu-lab-widget", GpuLabWidget);
  if (document.readyState === "loading" || document.readyState === "interactive") document.addEventListener("DOMContentLoaded", define, { once: true });
  else define();
})();
