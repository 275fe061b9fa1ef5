/*
 * The editor that stands for a text area with a reader's program, where it can be loaded: CodeMirror, in a shadow root so that
 * the site's policy may forbid inlined styles. The text area stays the field of the form and always holds the text.
 */
import { defaultKeymap, history, historyKeymap, indentLess, indentMore } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import { bracketMatching, HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { Compartment, EditorState, StateEffect, StateField } from "@codemirror/state";
import { Decoration, drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.controlKeyword, tags.definitionKeyword], color: "var(--keyword)" },
  { tag: [tags.string, tags.docString], color: "var(--string)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--number)" },
  { tag: [tags.function(tags.variableName), tags.definition(tags.function(tags.variableName))], color: "var(--name)" },
  { tag: tags.comment, color: "var(--comment)", fontStyle: "italic" },
]);

const look = EditorView.theme({
  "&": { backgroundColor: "var(--raised)", border: "1px solid var(--edge)", borderRadius: "7px", color: "var(--ink)", fontSize: "0.875rem" },
  "&.cm-focused": { outline: "3px solid var(--focus)", outlineOffset: "2px" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.5", maxHeight: "30rem", overflow: "auto" },
  ".cm-content": { caretColor: "var(--ink)", minHeight: "12rem", padding: "0.4rem 0" },
  ".cm-cursor": { borderLeftColor: "var(--ink)", borderLeftWidth: "2px" },
  ".cm-gutters": { backgroundColor: "var(--sunk)", border: "0", color: "var(--soft)" },
  ".cm-activeLine": { backgroundColor: "transparent", boxShadow: "inset 3px 0 0 var(--edge)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--a-light)" },
  ".cm-blamed": { backgroundColor: "var(--wrong-light)", boxShadow: "inset 3px 0 0 var(--wrong)" },
  ".cm-matchingBracket": { backgroundColor: "var(--c-light)", outline: "1px solid var(--c-edge)" },
});

/* The line that the checker blames, until the text is changed. */
const blame = StateEffect.define();
const blamed = StateField.define({
  create: () => Decoration.none,
  update(marks, change) {
    if (change.docChanged) marks = Decoration.none;
    for (const effect of change.effects) {
      if (!effect.is(blame)) continue;
      const { doc } = change.state;
      const inside = effect.value >= 1 && effect.value <= doc.lines;
      marks = inside ? Decoration.set(Decoration.line({ class: "cm-blamed" }).range(doc.line(effect.value).from)) : Decoration.none;
    }
    return marks;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/* Tab moves the focus on, as everywhere on the page. Ctrl (or Cmd) with ] and [ indents; Enter keeps the indentation. */
const keys = keymap.of([{ key: "Mod-]", run: indentMore }, { key: "Mod-[", run: indentLess }, ...defaultKeymap, ...historyKeymap]);

function stand(field) {
  const host = document.createElement("div");
  host.className = "w-editor";
  const root = host.attachShadow({ mode: "open" });
  const readOnly = new Compartment();
  let quiet = false;
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: field.value,
      extensions: [
        lineNumbers(), history(), drawSelection(), highlightActiveLine(), indentOnInput(), bracketMatching(), python(),
        indentUnit.of("    "), EditorState.tabSize.of(4), keys, look, syntaxHighlighting(colours), blamed,
        readOnly.of(EditorState.readOnly.of(false)),
        EditorView.contentAttributes.of({ "aria-label": field.dataset.label, tabindex: "0", spellcheck: "false", autocapitalize: "off" }),
        EditorView.updateListener.of((update) => {
          if (!update.docChanged || quiet) return;
          field.value = update.state.doc.toString();
          field.dispatchEvent(new Event("input", { bubbles: true }));
        }),
      ],
    }),
  });
  const had = document.activeElement === field;
  field.addEventListener("gpu-lab-text", () => {
    if (field.value === view.state.doc.toString()) return;
    quiet = true;
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: field.value } });
    quiet = false;
  });
  field.focus = () => view.focus();
  field.closest("gpu-lab-widget")?.addEventListener("gpu-lab-drawn", ({ target }) => {
    view.dispatch({ effects: blame.of(Number(target.querySelector("[data-line]")?.dataset.line ?? 0)) });
  });
  field.hidden = true;
  const hint = document.createElement("span");
  hint.className = "w-keys";
  hint.textContent = /^(Mac|iP)/.test(navigator.platform) ? field.dataset.keys.replaceAll("Ctrl+", "\u2318") : field.dataset.keys;
  field.after(host, hint);
  if (had) view.focus();
}

for (const field of document.querySelectorAll('textarea[data-kind="code"]')) stand(field);
