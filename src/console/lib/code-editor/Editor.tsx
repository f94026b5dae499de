import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { bracketMatching, indentUnit } from "@codemirror/language";
import { highlightSelectionMatches, openSearchPanel, search, searchKeymap } from "@codemirror/search";
import {
  Annotation,
  Compartment,
  EditorState,
  type Extension,
  RangeSet,
  StateEffect,
  StateField,
} from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  EditorView,
  GutterMarker,
  gutterLineClass,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { getNonce } from "get-nonce";
import {
  type Ref,
  type RefObject,
  useEffectEvent,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
} from "react";
import type { CodeEditorProps } from "./CodeEditor.tsx";
import type { Caret, EditorHandle, LineMarks } from "./editor-types.ts";
import { editorTheme, jsonColours } from "./theme.ts";

/** Tells the editor which lines to mark from now on. */
const showLineMarks = StateEffect.define<LineMarks>();

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
const lineMarks = field;

type Props = CodeEditorProps & {
  readonly wraps: boolean;
  readonly handle: Ref<EditorHandle>;
  /** Where the caret stood in the plain field that this replaces, or stands from the start; null: it has not the focus. */
  readonly caret: RefObject<Caret | null>;
};

/** Marks a change that the caller made, so that it is not told back. */
const fromOutside = Annotation.define<boolean>();

const noMarks = { edited: [], also: [] };

/** CodeMirror, told what React knows. The text is the caller's: one that comes from outside replaces what stands here. */
export default function Editor(props: Props) {
  const {
    label,
    value,
    language = "text",
    isReadOnly = false,
    marks = noMarks,
    wraps,
    handle,
    caret,
  } = props;
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  // CodeMirror knows one kind of line break; a text that has the other keeps it.
  const hasWindowsBreaks = value.includes("\r\n");
  const settings = useRef(new Compartment());
  const first = useRef(value);
  const onChange = useEffectEvent((text: string) =>
    props.onChange(hasWindowsBreaks ? text.replaceAll("\n", "\r\n") : text),
  );

  // All three in the commit itself: nothing can be typed between a text and the editor, or the caret, that it is for.
  useLayoutEffect(() => {
    if (!place.current) return;
    const stood = caret.current;
    const made = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: first.current,
        ...(stood && { selection: within(stood, first.current.replaceAll(/\r\n?/g, "\n").length) }),
        extensions: [
          ...always(language),
          settings.current.of([]),
          EditorView.updateListener.of((update) => {
            const isOurs = update.transactions.some((one) => one.annotation(fromOutside));
            if (update.docChanged && !isOurs) onChange(update.state.sliceDoc());
          }),
        ],
      }),
    });
    view.current = made;
    if (stood) made.focus();
    return () => {
      const { anchor, head } = made.state.selection.main;
      caret.current = made.hasFocus ? { anchor, head } : null;
      first.current = made.state.doc.toString();
      made.destroy();
      view.current = null;
    };
  }, [language, caret]);

  const { describedBy } = props;
  const isInvalid = Boolean(props.problem);
  useLayoutEffect(() => {
    view.current?.dispatch({
      effects: [
        settings.current.reconfigure([
          EditorState.readOnly.of(isReadOnly),
          wraps ? EditorView.lineWrapping : [],
          EditorView.contentAttributes.of({
            "aria-label": label,
            "aria-multiline": "true",
            ...(isReadOnly && { "aria-readonly": "true" }),
            ...(isInvalid && { "aria-invalid": "true" }),
            ...(describedBy !== undefined && { "aria-describedby": describedBy }),
            class: language === "json" ? "is-json" : "is-text",
            spellcheck: language === "json" ? "false" : "true",
          }),
        ]),
        showLineMarks.of(marks),
      ],
    });
  }, [label, language, isReadOnly, isInvalid, describedBy, wraps, marks]);

  useLayoutEffect(() => {
    const shown = view.current;
    const before = shown?.state.doc.toString();
    const after = value.replaceAll(/\r\n?/g, "\n");
    if (!shown || before === undefined || before === after) return;
    shown.dispatch({ changes: smallestChange(before, after), annotations: fromOutside.of(true) });
  }, [value]);

  useImperativeHandle(handle, () => ({
    focus: () => view.current?.focus(),
    find: () => {
      if (view.current) openSearchPanel(view.current);
    },
  }));
  return <div ref={place} className="h-full min-h-0" />;
}

/** A selection in a text of this length that may have become shorter since. */
function within({ anchor, head }: Caret, length: number) {
  return { anchor: Math.min(anchor, length), head: Math.min(head, length) };
}

/** What differs between two texts, as one change: the cursor stays where nothing does. */
function smallestChange(before: string, after: string) {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return { from: start, to: before.length - end, insert: after.slice(start, after.length - end) };
}

const wantsStillness = () => globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches ?? false;

/** The words of the search, as buttons are written elsewhere. */
const phrases = {
  next: "Next",
  previous: "Previous",
  all: "Select all",
  "match case": "Match case",
  regexp: "Pattern",
  "whole words": "Whole words",
  replace: "Replace",
  "replace all": "Replace all",
  close: "Close search",
};

function always(language: "text" | "json"): Extension[] {
  const nonce = getNonce() as string | undefined;
  return [
    // The page's rules let a style in only with the nonce of this answer.
    nonce ? EditorView.cspNonce.of(nonce) : [],
    lineNumbers(),
    history(),
    // Its blinking is none of the stylesheet's.
    drawSelection({ cursorBlinkRate: wantsStillness() ? 0 : 1_200 }),
    indentUnit.of("  "),
    search({ top: true }),
    EditorState.phrases.of(phrases),
    highlightSelectionMatches(),
    // Escape, then Tab leaves: CodeMirror lets the next Tab through by itself.
    keymap.of([...searchKeymap, ...historyKeymap, ...defaultKeymap, indentWithTab]),
    language === "json" ? [json(), bracketMatching(), jsonColours] : [],
    lineMarks,
    editorTheme,
  ];
}
