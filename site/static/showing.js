/*
 * The part of the page element that shows the view of some settings, ready-made or computed: fields, predictions, panels.
 */
"use strict";

const gpuLabShowing = (() => {
  const { say, morph, parse, signature, canonical, complaint, plainNumber, stepFrom, element } = gpuLabTools;
  const python = gpuLabPython;

  return (Base) =>
    class extends Base {
      /* Shows the view of `wanted`, ready-made or computed. `history` is what becomes of the address: push, replace or keep.
         `live` prefers Python, once it runs, to a prepared view. A prediction is compared when `compare` is set. With `keep`,
         `step` is that of another trace: where the new one is shorter, its last one is meant. */
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
        const request = { op: "view", lang: this.language, widget: this.widget, settings, step: options.step ?? "1", keep: options.keep };
        const again = () => this.apply(wanted, options);
        this.wait(() => python.ask(request), (answer) => this.hear(answer, wanted, options), again, listed && (() => this.showListed(listed, { ...options, wanted })));
        this.busy = true;
      }

      showListed(view, options) {
        const notices = [...(options.notices ?? [])];
        const step = options.keep ? Math.min(options.step, view.count) - 1 : stepFrom(options.step, view.count, notices);
        this.show(view, step, { ...options, notices });
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
        this.report(this.origin());
      }

      /* What computed the numbers in sight. */
      origin() {
        return this.view.by ? say("Computed in this page by Python {version}.", { version: this.view.by }) : say("Prepared by the same Python code.");
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
          else line.append(parse(guess === reply.answer ? reply.right : Object.hasOwn(reply.known, guess) ? reply.known[guess] : reply.other));
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
        slot.replaceChildren(say("Being computed …"));
        python.ask({ op: "panel", lang: this.language, widget: this.widget, settings: view.settings, panel: name }).then(
          (answer) => {
            if (answer.html !== undefined) view.panels[name] = answer.html;
            if (view === this.view) answer.problem ? slot.replaceChildren(answer.problem) : morph(slot, answer.html);
          },
          (failure) => view === this.view && slot.replaceChildren(say("{failure} Close and open this panel to try again.", { failure: failure.message })),
        );
      }
    };
})();
