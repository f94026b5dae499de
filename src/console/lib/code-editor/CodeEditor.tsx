import Maximize2 from "lucide-react/icons/maximize-2";
import Minimize2 from "lucide-react/icons/minimize-2";
import Search from "lucide-react/icons/search";
import WrapText from "lucide-react/icons/wrap-text";
import { type ReactNode, type RefObject, useCallback, useEffect, useId, useRef, useState } from "react";
import { IconButton } from "../../ui/Button.tsx";
import { cx } from "../../ui/cx.ts";
import { later } from "../../ui/later.ts";
import { LazyPart } from "../LazyPart.tsx";
import type { Caret, EditorHandle, LineMarks } from "./editor-types.ts";
import { PlainEditor } from "./PlainEditor.tsx";

const Editor = later(() => import("./Editor.tsx"));

export interface CodeEditorProps {
  /** Its name for those who listen. */
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly language?: "text" | "json";
  /** Everything can be read and copied, nothing changed. */
  readonly isReadOnly?: boolean;
  /** Lines to mark at the edge. */
  readonly marks?: LineMarks;
  /** Ids of what is said about it. */
  readonly describedBy?: string | undefined;
  /** What is wrong with the text, said as it is typed; it stands with the text in full screen too. */
  readonly problem?: string | null;
  /** Words at the left of the bar under the text. */
  readonly note?: ReactNode;
  /** Grows with the text up to a third of the window, or takes this many px from the start. */
  readonly isTall?: boolean;
  /** Takes the focus when it comes: somebody has just asked for it. */
  readonly takesFocus?: boolean;
}

/**
 * An editor for a long text or for JSON: find (Ctrl F), line wrap, full screen, marks at edited lines. Loaded when it is
 * first shown; until then, and where it cannot be loaded, a plain field holds the text and takes what is typed.
 */
export function CodeEditor({ note, isTall = false, ...props }: CodeEditorProps) {
  const { label, isReadOnly = false, describedBy, problem = null } = props;
  const [isFull, setFull] = useState(false);
  const [wraps, setWraps] = useState(props.language !== "json");
  const frame = useRef<HTMLDivElement>(null);
  const handle = useRef<EditorHandle>(null);
  const caret = useRef<Caret>(props.takesFocus ? { anchor: 0, head: 0 } : null);
  const helpId = useId();
  const problemId = useId();
  const isInvalid = Boolean(problem);
  const leaveFull = useCallback(() => {
    setFull(false);
    handle.current?.focus();
  }, []);
  useAlone(frame, isFull, leaveFull);
  const described = cx(describedBy, isInvalid && problemId, !isReadOnly && helpId) || undefined;
  const plain = (
    <PlainEditor
      {...props}
      describedBy={cx(describedBy, isInvalid && problemId) || undefined}
      isInvalid={isInvalid}
      isTall={isTall}
      caret={caret}
    />
  );
  return (
    <div
      ref={frame}
      {...(isFull && { role: "dialog", "aria-modal": true, "aria-label": `${label}, full screen` })}
      className={cx(
        "flex min-w-0 flex-col overflow-hidden bg-surface",
        isFull
          ? "fixed inset-0 z-dialog"
          : cx(
              "rounded-control border focus-within:border-focus",
              isInvalid ? "border-state-failed-mark" : "border-line-strong",
            ),
      )}
    >
      <div
        className={cx("min-h-0", isFull ? "flex-1 [&_.cm-editor]:h-full" : isTall ? tallClass : sizeClass)}
      >
        <LazyPart fallback={plain}>
          <Editor {...props} wraps={wraps} describedBy={described} handle={handle} caret={caret} />
        </LazyPart>
      </div>
      <p
        id={problemId}
        aria-live="polite"
        className="break-words border-t bg-state-failed-bg px-2.5 py-1 text-secondary text-state-failed-fg empty:border-0 empty:p-0"
      >
        {problem}
      </p>
      <div className="flex min-h-[30px] shrink-0 items-center gap-1 border-t bg-surface-sunken py-0.5 pr-0.5 pl-2.5 text-muted text-secondary">
        <span className="min-w-0 flex-1 tabular-nums">{note}</span>
        <span id={helpId} className="sr-only">
          Tab indents. Press Escape, then Tab, to leave the editor.
        </span>
        <IconButton
          size="small"
          label="Find in the text"
          shortcut="Ctrl F"
          onClick={() => handle.current?.find()}
        >
          <Search />
        </IconButton>
        <IconButton
          size="small"
          label="Wrap lines"
          aria-pressed={wraps}
          className={wraps ? "text-accent" : undefined}
          onClick={() => setWraps(!wraps)}
        >
          <WrapText />
        </IconButton>
        <IconButton
          size="small"
          label={isFull ? "Leave full screen" : "Full screen"}
          {...(isFull && { shortcut: "Esc" })}
          onClick={() => {
            if (isFull) return leaveFull();
            setFull(true);
            handle.current?.focus();
          }}
        >
          {isFull ? <Minimize2 /> : <Maximize2 />}
        </IconButton>
      </div>
    </div>
  );
}

const tallClass = "[&_.cm-editor]:max-h-[min(52vh,460px)] [&_.cm-editor]:min-h-40";
const sizeClass = "[&_.cm-editor]:max-h-[34vh] [&_.cm-editor]:min-h-20";

/** While something fills the window, what lies behind it takes no focus and is not read aloud, and Escape ends it. */
function useAlone(frame: RefObject<HTMLElement | null>, isOn: boolean, leave: () => void): void {
  useEffect(() => {
    const own = frame.current;
    if (!isOn || !own) return;
    const made: Element[] = [];
    for (let one: Element = own; one.parentElement && one.parentElement !== document.body; ) {
      for (const sibling of one.parentElement.children) {
        if (sibling === one || sibling.hasAttribute("inert")) continue;
        sibling.setAttribute("inert", "");
        made.push(sibling);
      }
      one = one.parentElement;
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || event.defaultPrevented) return;
      event.stopPropagation();
      leave();
    };
    own.addEventListener("keydown", onKey);
    return () => {
      own.removeEventListener("keydown", onKey);
      for (const one of made) one.removeAttribute("inert");
    };
  }, [frame, isOn, leave]);
}
