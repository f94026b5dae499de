import { useMemo } from "react";
import { PlainText } from "../markdown/MarkdownText.tsx";
import { type Find, noFind } from "../markdown/Marked.tsx";
import { compactJson, JsonText } from "./JsonText.tsx";
import { JsonTree } from "./JsonTree.tsx";
import { measure } from "./measure.ts";

/** Up to so many characters a value is written out; more is a tree. */
const written = 2_000;

/** A value that anybody may have sent: texts as they are, small JSON written out in colour, everything else as a tree. */
export function JsonView({ value, label, find = noFind }: { value: unknown; label: string; find?: Find }) {
  const text = useMemo(() => smallJson(value), [value]);
  if (typeof value === "string") {
    return (
      <div className="text-mono-json">
        <PlainText text={value} find={find} />
      </div>
    );
  }
  if (text === null) return <JsonTree value={value} label={label} />;
  return (
    <pre className="whitespace-pre-wrap break-words text-mono-json">
      <JsonText text={text} find={find} />
    </pre>
  );
}

/** The JSON of a value that is small enough to be written out; null for a bigger one. */
function smallJson(value: unknown): string | null {
  if (typeof value === "string") return null;
  const { characters, values, isWhole } = measure(value, 400);
  return isWhole && characters <= written && values <= 200 ? compactJson(value) : null;
}
