import {
  Decoration,
  type DecorationSet,
  type EditorView,
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
