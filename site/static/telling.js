/*
 * The part of the page element that waits, gives up, and says so. Each thing the reader asks for is a new `turn`; an answer
 * to an earlier turn is dropped.
 */
"use strict";

const gpuLabTelling = (() => {
  const { say, setText, megabytes, hide } = gpuLabTools;
  const python = gpuLabPython;
  const STOP_AFTER_MS = 200; // an answer that comes sooner needs no Stop button

  return (Base) =>
    class extends Base {
      turn = 0;
      busy = false; // a view is being waited for
      waiting = false; // a view or a step is
      telling = false; // the state line follows what Python is doing

      drop() {
        this.turn += 1;
        this.busy = false;
        if (this.target !== this.at) this.afterPainting(); // the slider and the ends were those of the way
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
          this.report(failure.message, again, say("Retry"));
        }
      }

      showWaiting(waiting) {
        if (!waiting && !this.waiting) return;
        this.waiting = waiting;
        this.piece("frame").toggleAttribute("aria-busy", waiting);
        clearTimeout(this.stopTimer);
        if (!waiting && this.telling) this.report(this.origin());
        const stop = this.act("stop");
        if (!waiting) hide(stop, this.querySelector(".w-run"));
        else if (python.state !== "live") stop.hidden = false;
        else this.stopTimer = setTimeout(() => (stop.hidden = false), STOP_AFTER_MS);
        this.tellState();
      }

      /* While this widget waits, the state line follows Python's start. */
      tellState() {
        const { progress, state } = python;
        const starting = this.waiting && state === "starting";
        this.bar.hidden = !starting;
        setText(this.amount, "");
        if (!this.waiting) return;
        hide(this.again, this.act("stop"), this.querySelector(".w-run"));
        this.telling = true;
        if (!starting) return void setText(this.status, state === "live" ? say("Computing …") : "");
        setText(this.status, say("Starting Python"));
        if (!progress) return void this.bar.removeAttribute("value");
        const amounts = { loaded: megabytes(progress.loaded), total: megabytes(progress.total) };
        const all = progress.loaded >= progress.total;
        setText(this.amount, all ? say(": {loaded} of {total} MB, now unpacking", amounts) : say(": {loaded} of {total} MB", amounts));
        this.bar.max = progress.total;
        this.bar.value = progress.loaded;
      }

      report(sentence, again = null, label = "") {
        this.telling = false;
        setText(this.status, sentence);
        this.onAgain = again;
        setText(this.again, label);
        if (again) this.again.hidden = false;
        else hide(this.again, this.querySelector(".w-run"));
      }

      notify(sentences) {
        const notice = this.piece("notice");
        const text = sentences.filter(Boolean).reduce((before, after) => (before ? say("{before} {after}", { before, after }) : after), "");
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
    };
})();
