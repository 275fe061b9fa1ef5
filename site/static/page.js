/*
 * What concerns the whole page: Back and Forward, paper, and the buttons that copy and download code.
 */
"use strict";

(() => {
  const { say, setText, element, whenIdle } = gpuLabTools;
  const EDITOR_WITHIN_MS = 2_000;

  const widgets = () => document.querySelectorAll("gpu-lab-widget");
  const readAddress = () => widgets().forEach((widget) => widget.fromAddress?.());
  addEventListener("popstate", readAddress);

  /* A page that is kept for Back comes back as it was left. WebKit alone then resets, some time after pageshow, each form that
     has autocomplete="off", and each input by itself. So while a page is kept its forms lack it, and an input's default is what it holds. */
  const keepTyped = (kept) => {
    for (const form of document.querySelectorAll("gpu-lab-widget form")) form.autocomplete = kept ? "on" : "off";
    for (const field of document.querySelectorAll("gpu-lab-widget input")) field.defaultValue = field.value;
  };
  addEventListener("pagehide", ({ persisted }) => persisted && keepTyped(true));
  addEventListener("pageshow", ({ persisted }) => {
    if (!persisted) return;
    widgets().forEach((widget) => widget.comeBack?.());
    keepTyped(false);
  });

  /* On paper everything is unfolded but a teacher's notes, which are printed when they are open; afterwards the folds are as they
     were. */
  let printing = null;
  addEventListener("beforeprint", () => {
    printing ??= [...document.querySelectorAll("details:not([open], .teacher)")];
    for (const fold of printing) fold.open = true;
  });
  addEventListener("afterprint", () => {
    for (const fold of printing ?? []) fold.open = false;
    printing = null;
  });

  document.addEventListener("click", ({ target }) => target.closest?.('[data-act="print"]') && print());

  /* A text area for a program becomes an editor, when there is time for it; without it the text area does. */
  const editor = document.querySelector('meta[name="gpu-lab-editor"]');
  const fetchIt = () => document.head.append(element("script", { src: new URL(editor.content, document.baseURI).href }));
  const load = () => whenIdle(fetchIt, EDITOR_WITHIN_MS);
  if (editor && !navigator.connection?.saveData) addEventListener("load", load, { once: true });

  /* A tap on a quoted number shows beside it who checked it, which a mouse learns by resting there; another tap hides it. */
  document.addEventListener("click", ({ target }) => {
    const number = target.closest?.(".checked[title]");
    if (!number || !getSelection().isCollapsed) return;
    const shown = number.nextElementSibling?.matches(".checked-note") && number.nextElementSibling;
    if (shown) shown.remove();
    else number.after(element("small", { className: "checked-note", textContent: say(" ({note}) ", { note: number.title }) }));
  });

  /* Copy and Download of any code on the page. */
  document.addEventListener("click", async ({ target }) => {
    const button = target.closest?.('[data-act="copy"], [data-act="download"]');
    const code = button?.closest(".code, details")?.querySelector("code, pre");
    if (!code) return;
    if (button.dataset.act === "download") return download(fileText(button, code), button.dataset.filename);
    button.dataset.label ??= button.textContent;
    const text = button.closest("[data-copy]")?.dataset.copy ?? code.textContent; // of a session, what is typed
    setText(button, (await copy(code, text)) ? say("Copied") : say("Press Ctrl+C"));
    setTimeout(() => setText(button, button.dataset.label), 2_000);
  });

  /* The program, or beside it, unseen, the same program as a notebook: made by Python, like all else. */
  function fileText(button, code) {
    const notebook = button.dataset.filename.endsWith(".ipynb") && button.closest(".code").querySelector("[data-notebook]");
    return (notebook || code).textContent;
  }

  function download(text, filename) {
    const type = filename.endsWith(".ipynb") ? "application/x-ipynb+json" : "text/plain;charset=utf-8";
    save(new Blob([text], { type }), filename);
  }

  function save(blob, filename) {
    const link = element("a", { href: URL.createObjectURL(blob), download: filename });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1_000);
  }

  /* Browsers fetch what a link offers for download past the service worker, and so without a network not at all. */
  document.addEventListener("click", async (event) => {
    const link = event.target.closest?.('a[download][href*="downloads/"]');
    if (!link || !gpuLabWorkers?.controller || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    try {
      const response = await fetch(link.href);
      if (!response.ok) throw new Error(response.status);
      save(await response.blob(), link.download || link.pathname.split("/").at(-1));
    } catch {
      location.assign(link.href); // the browser then says what is wrong
    }
  });

  /* True when it is on the clipboard; otherwise it is selected, for the reader to copy. */
  async function copy(code, text) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      getSelection().selectAllChildren(code);
      return document.execCommand("copy");
    }
  }
})();
