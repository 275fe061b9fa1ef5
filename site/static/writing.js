/*
 * The part of the page element that keeps a reader's own program.
 */
"use strict";

const gpuLabWriting = (() => {
  const { say, setText } = gpuLabTools;
  const drafts = gpuLabDrafts;

  return (Base) =>
    class extends Base {
      /* The names of fields that hold the reader's own program: kept in this browser, never in an address. */
      get codes() {
        return Object.keys(this.fields).filter((name) => this.fields[name].dataset.kind === "code");
      }

      keepDraft(field) {
        if (field.dataset.kind === "code") drafts.keep(this.draftName(field.name), field.value);
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
          setText(button, say("Press again to lose your text"));
          return;
        }
        delete button.dataset.sure;
        setText(button, say("Start over"));
        for (const name of this.codes) {
          drafts.drop(this.draftName(name));
          this.put(this.fields[name], this.fields[name].defaultValue);
          this.fields[name].focus();
        }
      }
    };
})();
