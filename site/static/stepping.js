/*
 * The part of the page element that steps: position, player, Play.
 */
"use strict";

const gpuLabStepping = (() => {
  const { say, morph, expect, setAttribute, setText, keepInView } = gpuLabTools;
  const python = gpuLabPython;
  const PLAY_MS = 1_200;
  const FRAME_WITHIN_MS = 250;

  return (Base) =>
    class extends Base {
      at = 0; // the step on the page, from 0
      target = 0; // the step the reader is on the way to
      unwritten = false; // the address has another step yet

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

      /* The nearest of a button's stops on its way from where the reader is going; undefined behind the last one. */
      stopFor({ dataset: { stops, way } }) {
        const steps = stops.split(",").map(Number);
        return way === "next" ? steps.find((step) => step > this.target) : steps.findLast((step) => step < this.target);
      }

      frame(step) {
        return this.view.frames?.[step] ?? this.view.made?.get(step);
      }

      async fetchFrame(step) {
        const { view } = this;
        const answer = await python.ask({ op: "frame", lang: this.language, widget: this.widget, settings: view.settings, step: String(step + 1) });
        if (answer.problem) throw new Error(answer.problem);
        view.made.set(step, answer.frame);
        return answer.frame;
      }

      draw(frame, step, quiet) {
        this.at = this.target = step;
        const picture = this.piece("frame");
        morph(picture, frame.html);
        picture.dispatchEvent(new CustomEvent("gpu-lab-drawn", { bubbles: true }));
        const listing = picture.querySelector(".source");
        if (listing) keepInView(listing.querySelector(".source-line.now"), listing);
        setText(this.piece("say"), frame.say);
        this.tellPosition();
        this.unwritten ||= !quiet;
        this.afterPainting();
        if (this.playing) this.playing = setTimeout(() => this.advance(), PLAY_MS);
      }

      /* Step n of m in words and at the slider, at once: the next key on the slider moves it from there. */
      tellPosition() {
        const { count } = this.view;
        const position = say("step {at} of {count}", { at: this.at + 1, count });
        const slider = this.act("slider");
        setText(this.piece("position"), position);
        setAttribute(slider, "max", String(count - 1));
        slider.value = this.at;
        setAttribute(slider, "aria-valuetext", position);
      }

      /* What can wait until the reader sees the step, as together it takes as long as drawing that; a page that nobody sees has no
         frames to wait for. A reader who is on the way to another step keeps the slider there. */
      afterPainting() {
        if (this.painting) return;
        const then = () => {
          if (!this.painting) return;
          clearTimeout(this.painting);
          this.painting = null;
          if (this.unwritten) this.writeAddress("replace");
          if (this.target !== this.at) return;
          this.refresh();
          this.lookAhead();
        };
        this.painting = setTimeout(then, FRAME_WITHIN_MS);
        requestAnimationFrame(() => setTimeout(then, 0));
      }

      /* Gets ready for the next step and the one before. */
      lookAhead() {
        const next = this.at + 1;
        const near = [this.frame(next), this.frame(this.at - 1)].filter(Boolean);
        expect(this.piece("frame"), near.map(({ html }) => html));
        if (next < this.view.count && !this.frame(next) && python.state === "live") this.fetchFrame(next).catch(() => {});
      }

      /* The position and the two ends. A button at an end stays focusable: aria-disabled, not disabled. */
      refresh() {
        const { count } = this.view;
        this.tellPosition();
        for (const act of ["first", "previous"]) setAttribute(this.act(act), "aria-disabled", String(this.at === 0));
        for (const act of ["next", "last"]) setAttribute(this.act(act), "aria-disabled", String(this.at === count - 1));
        for (const button of this.querySelectorAll("[data-stops]")) setAttribute(button, "aria-disabled", String(this.stopFor(button) === undefined));
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
        if (!this.playing) return;
        clearTimeout(this.playing);
        this.playing = null;
        this.labelPlay(false);
      }

      labelPlay(playing) {
        const button = this.act("play");
        button.toggleAttribute("data-playing", playing);
        setText(button.querySelector(".word"), playing ? say("Pause") : say("Play"));
      }
    };
})();
