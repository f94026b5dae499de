import { useMemo } from "react";
import { formatJson } from "./format-json.ts";
import { JsonText } from "./JsonTree.tsx";
import { JsonView } from "./JsonView.tsx";

/** Up to so many characters it is drawn in colour; a longer one is read in pieces. */
const inColour = 20_000;
/** A longer text is shown as it came. */
const formatted = 1_000_000;

/** JSON as it was written, on lines of its own: nothing is left out, rounded or folded. */
export function JsonSource({ text, label }: { text: string; label: string }) {
  const shown = useMemo(() => (text.length <= formatted ? formatJson(text) : text), [text]);
  if (shown.length > inColour) return <JsonView value={shown} label={label} />;
  return (
    <pre className="whitespace-pre-wrap break-words text-mono-json">
      <JsonText text={shown} />
    </pre>
  );
}
