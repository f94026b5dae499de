import { type RefObject, useLayoutEffect, useRef } from "react";
import { Textarea } from "../../ui/Field.tsx";
import type { CodeEditorProps } from "./CodeEditor.tsx";
import type { Caret } from "./editor-types.ts";

type Props = Pick<CodeEditorProps, "label" | "value" | "onChange" | "isReadOnly" | "language" | "isTall"> & {
  readonly describedBy: string | undefined;
  readonly isInvalid: boolean;
  /** Where the caret is to stand when the field comes, and stood when it goes; null: it has not the focus. */
  readonly caret: RefObject<Caret | null>;
};

/** The plain field that stands for the editor until that has come, and where it cannot come. */
export function PlainEditor({ isTall = false, isReadOnly = false, isInvalid, caret, ...props }: Props) {
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    const shown = field.current;
    if (!shown) return;
    const before = caret.current;
    if (before) {
      const { anchor, head } = before;
      const direction = head < anchor ? "backward" : "forward";
      shown.setSelectionRange(Math.min(anchor, head), Math.max(anchor, head), direction);
      shown.focus();
    }
    return () => {
      const { selectionStart, selectionEnd, selectionDirection } = shown;
      const [anchor, head] =
        selectionDirection === "backward" ? [selectionEnd, selectionStart] : [selectionStart, selectionEnd];
      caret.current = document.activeElement === shown ? { anchor, head } : null;
    };
  }, [caret]);
  return (
    <Textarea
      ref={field}
      aria-label={props.label}
      value={props.value}
      readOnly={isReadOnly}
      isMono={props.language === "json"}
      rows={isTall ? 12 : 5}
      aria-describedby={props.describedBy}
      onChange={(event) => props.onChange(event.target.value)}
      className="rounded-none! border-0! outline-none!"
      {...(isInvalid && { "aria-invalid": true })}
    />
  );
}
