import {
  Decoration,
  type DecorationSet,
  EditorView,
  MatchDecorator,
  ViewPlugin,
  type ViewUpdate,
} from "@codemirror/view";

const text = Decoration.mark({ class: "text-ansi-green" });
const other = Decoration.mark({ class: "text-ansi-blue" });

/** Texts that are no keys, and numbers and words: coloured as JSON is elsewhere (components/json/JsonText.tsx). */
const matcher = new MatchDecorator({
  regexp: /"(?:[^"\\]|\\.)*"(\s*:)?|-?\d[\d.eE+-]*|\b(?:true|false|null)\b/g,
  decorate: (add, from, to, match) => {
    if (match[1] === undefined) add(from, to, match[0].startsWith('"') ? text : other);
  },
});

/** Colours what can be seen of a JSON text, also while it is not JSON yet. */
export const jsonColours = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;
    constructor(view: EditorView) {
      this.decorations = matcher.createDeco(view);
    }
    update(update: ViewUpdate) {
      this.decorations = matcher.updateDeco(update, this.decorations);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);

/** The editor in the console's roles: one theme, because the roles change with the page's. */
export const editorTheme = EditorView.theme({
  "&": { color: "var(--text)", backgroundColor: "transparent", fontSize: "var(--control-type)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "inherit", lineHeight: "20px", overflow: "auto" },
  ".cm-content": { padding: "8px 0", caretColor: "var(--text)" },
  ".cm-content.is-text": { fontFamily: "var(--font-text)" },
  ".cm-content.is-json": {
    fontFamily: "var(--font-mono)",
    fontSize: "12px",
    lineHeight: "18px",
    fontVariantLigatures: "none",
    fontVariantNumeric: "slashed-zero",
  },
  ".cm-line": { padding: "0 12px 0 10px" },
  ".cm-gutters": {
    backgroundColor: "transparent",
    border: "none",
    color: "var(--text-faint)",
    fontFamily: "var(--font-mono)",
    fontSize: "12px",
  },
  ".cm-lineNumbers .cm-gutterElement": { padding: "0 8px 0 6px", minWidth: "34px" },
  ".cm-editedLine": { boxShadow: "inset 2px 0 var(--accent-solid)" },
  ".cm-alsoLine": { boxShadow: "inset 2px 0 var(--state-stopped-mark)" },
  ".cm-gutterElement.cm-editedNumber": { color: "var(--accent)" },
  ".cm-gutterElement.cm-alsoNumber": { color: "var(--state-stopped-fg)" },
  ".cm-cursor, .cm-dropCursor": { borderLeftColor: "var(--text)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    background: "var(--accent-line)",
  },
  ".cm-searchMatch": { backgroundColor: "var(--hit-bg)" },
  ".cm-searchMatch.cm-searchMatch-selected": {
    backgroundColor: "var(--hit-current-bg)",
    color: "var(--on-hit)",
  },
  ".cm-selectionMatch": { backgroundColor: "var(--hit-bg)" },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "var(--surface-pressed)", color: "inherit" },
  "&.cm-focused .cm-nonmatchingBracket": { backgroundColor: "var(--diff-del-strong)", color: "inherit" },
  ".cm-panels": { backgroundColor: "var(--surface-sunken)", color: "var(--text)" },
  ".cm-panels.cm-panels-top": { borderBottom: "1px solid var(--line)" },
  ".cm-panel.cm-search": {
    display: "flex",
    flexWrap: "wrap",
    alignItems: "center",
    gap: "4px 6px",
    padding: "6px 34px 6px 8px",
    font: "400 12px / 16px var(--font-text)",
  },
  ".cm-panel.cm-search br": { flexBasis: "100%", height: "0" },
  ".cm-panel.cm-search label": {
    display: "inline-flex",
    alignItems: "center",
    gap: "4px",
    fontSize: "12px",
    color: "var(--text-muted)",
  },
  ".cm-panel.cm-search input[type=checkbox]": { accentColor: "var(--accent-solid)", margin: "0" },
  ".cm-panel.cm-search .cm-textfield": {
    height: "var(--control-small)",
    flex: "1 1 140px",
    minWidth: "0",
    maxWidth: "260px",
    margin: "0",
    padding: "0 8px",
    border: "1px solid var(--line-strong)",
    borderRadius: "var(--radius-control)",
    backgroundColor: "var(--surface)",
    color: "var(--text)",
    fontSize: "var(--control-type)",
  },
  ".cm-panel.cm-search .cm-button": {
    height: "var(--control-small)",
    margin: "0",
    padding: "0 8px",
    border: "1px solid var(--line-strong)",
    borderRadius: "var(--radius-control)",
    background: "var(--surface-raised)",
    color: "var(--text)",
    fontSize: "12px",
    fontWeight: "500",
  },
  ".cm-panel.cm-search .cm-button:hover": { background: "var(--surface-raised-hover)" },
  ".cm-panel.cm-search [name=close]": {
    position: "absolute",
    top: "6px",
    right: "6px",
    width: "var(--control-small)",
    height: "var(--control-small)",
    color: "var(--text-muted)",
    fontSize: "16px",
  },
});
