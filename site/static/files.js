/*
 * A reader's own files: chosen or dropped, read in this browser, and given as text to the widget that has a place for them.
 * What Python made of them there goes to every other widget of the page that has the same setting. Nothing is sent anywhere.
 */
"use strict";

const gpuLabFiling = (() => {
  const { say, given, hide } = gpuLabTools;
  const STAYS = say("What is shown stays as it was.");

  /* ---------- the page: a file may be dropped anywhere, as a browser would leave the page for it beside its place ---------- */

  const home = () => document.querySelector('gpu-lab-widget:defined [data-act="file"]')?.closest("gpu-lab-widget");
  const carriesFiles = (event) => event.dataTransfer?.types.includes("Files");

  document.addEventListener("dragover", (event) => {
    const widget = home();
    if (!widget || !carriesFiles(event)) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "copy";
    widget.toggleAttribute("data-dropping", true);
  });

  document.addEventListener("dragleave", (event) => event.relatedTarget || home()?.toggleAttribute("data-dropping", false));

  document.addEventListener("drop", (event) => {
    const widget = home();
    if (!widget || event.target.closest?.("textarea, input, [contenteditable]")?.matches(":not([type=file])")) return;
    event.preventDefault();
    widget.toggleAttribute("data-dropping", false);
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length) widget.takeFiles(files);
    else widget.refuse(say("your files: given something that is no file; allowed: a file with a result. {stays}", { stays: STAYS }), widget.fileField.name);
  });

  /* ---------- the text of a file, or an Error with a sentence ---------- */

  async function textOf(file, most) {
    const { name } = file;
    const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;
    if (file.size > most) throw new Error(say("{sentence}.", { sentence: given(name, megabytes(file.size), say("at most {size}", { size: megabytes(most) })) }));
    let bytes;
    try {
      bytes = new Uint8Array(await file.arrayBuffer());
    } catch {
      throw new Error(say("{name}: given something that cannot be read; allowed: a file, not a folder.", { name }));
    }
    const wide = { "255,254": "utf-16le", "254,255": "utf-16be" }[bytes.subarray(0, 2).join()];
    try {
      return new TextDecoder(wide ?? "utf-8", { fatal: true }).decode(bytes);
    } catch {
      throw new Error(say("{name}: given bytes that are no text in UTF-8; allowed: JSON that kernel-bench wrote.", { name }));
    }
  }

  /* ---------- the element ---------- */

  return (Base) =>
    class extends Base {
      /* The setting that holds the files' text, hidden in every widget that draws them; the picker is in one of them. */
      get fileField() {
        return Object.values(this.fields).find((field) => field.dataset.kind === "file");
      }

      /* A reader's files are of this visit, whatever the address says. */
      ownFiles() {
        const field = this.fileField;
        return field ? { [field.name]: this.view.settings[field.name] ?? "" } : {};
      }

      listenForFiles() {
        this.addEventListener("change", ({ target }) => {
          if (target.dataset.act !== "file") return;
          this.takeFiles([...target.files]);
          target.value = ""; // so that the same file can be chosen again
        });
        this.addEventListener("click", ({ target }) => target.closest('[data-act="forget"]') && this.giveFiles(""));
      }

      async takeFiles(files) {
        const field = this.fileField;
        try {
          const read = [];
          for (const file of files) read.push({ name: file.name, text: await textOf(file, Number(field.dataset.most)) });
          if (read.length) this.giveFiles(JSON.stringify([...JSON.parse(field.value || "[]"), ...read]));
        } catch (trouble) {
          this.refuse(`${trouble.message} ${STAYS}`, field.name);
        }
      }

      giveFiles(text, options = {}) {
        this.apply({ ...this.typedSettings(), [this.fileField.name]: text }, { history: "keep", ...options });
      }

      show(view, step, options) {
        super.show(view, step, options);
        const forget = this.act("forget");
        if (!forget) return;
        const { name, value } = this.fileField;
        if (value) forget.hidden = false;
        else hide(forget, this.act("file"));
        for (const other of document.querySelectorAll("gpu-lab-widget")) {
          if (other !== this && other.fileField && (other.view.settings[name] ?? "") !== value) other.giveFiles(value, { fallBack: true });
        }
      }

      refuse(sentence, name, notices) {
        super.refuse(sentence, name, notices);
        if (this.fields[name] && this.fields[name] === this.fileField) this.act("file")?.focus();
      }

      complain(field, sentence) {
        super.complain(field === this.fileField ? (this.act("file") ?? field) : field, sentence);
      }
    };
})();
