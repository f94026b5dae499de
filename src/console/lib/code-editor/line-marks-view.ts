import { RangeSet, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, GutterMarker, gutterLineClass } from "@codemirror/view";
import type { LineMarks } from "./line-marks.ts";

/** Tells the editor which lines to mark from now on. */
export const showLineMarks = StateEffect.define<LineMarks>();

const kinds = {
  edited: { line: Decoration.line({ class: "cm-editedLine" }), gutter: marker("cm-editedNumber") },
  also: { line: Decoration.line({ class: "cm-alsoLine" }), gutter: marker("cm-alsoNumber") },
};

function marker(elementClass: string): GutterMarker {
  return new (class extends GutterMarker {
    override elementClass = elementClass;
  })();
}

interface Marked {
  readonly lines: DecorationSet;
  readonly numbers: RangeSet<GutterMarker>;
}

const field = StateField.define<Marked>({
  create: () => ({ lines: Decoration.none, numbers: RangeSet.empty }),
  update(marked, transaction) {
    let next = transaction.docChanged
      ? { lines: marked.lines.map(transaction.changes), numbers: marked.numbers.map(transaction.changes) }
      : marked;
    for (const effect of transaction.effects) {
      if (!effect.is(showLineMarks)) continue;
      const { doc } = transaction.state;
      const also = new Set(effect.value.also);
      const marks = [...new Set([...effect.value.edited, ...also])]
        .filter((line) => line >= 1 && line <= doc.lines)
        .sort((a, b) => a - b)
        .map((line) => ({ from: doc.line(line).from, kind: also.has(line) ? kinds.also : kinds.edited }));
      next = {
        lines: Decoration.set(marks.map(({ from, kind }) => kind.line.range(from))),
        numbers: RangeSet.of(marks.map(({ from, kind }) => kind.gutter.range(from))),
      };
    }
    return next;
  },
  provide: (self) => [
    EditorView.decorations.from(self, ({ lines }) => lines),
    gutterLineClass.from(self, ({ numbers }) => numbers),
  ],
});

/** Marks lines at their edge and colours their numbers, as `showLineMarks` says. */
export const lineMarks = field;
