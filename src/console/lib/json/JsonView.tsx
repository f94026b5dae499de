import Copy from "lucide-react/icons/copy";
import Download from "lucide-react/icons/download";
import { useMemo, useState } from "react";
import { IconButton } from "../../ui/Button.tsx";
import { useCopy } from "../../ui/CopyButton.tsx";
import { saveBlob } from "../files.ts";
import { PlainText } from "../markdown/MarkdownText.tsx";
import { type Find, noFind } from "../markdown/Marked.tsx";
import { compactJson, JsonText, JsonTree } from "./JsonTree.tsx";
import { measure, writeJson } from "./measure.ts";

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

const textOf = async (value: unknown): Promise<string[]> =>
  typeof value === "string" ? [value] : writeJson(value);

/** Copies or downloads a value of any size; writing it never holds up the page. `what`: "arguments". */
export function JsonActions({ value, what, fileName }: { value: unknown; what: string; fileName: string }) {
  const copy = useCopy();
  const [isBusy, setBusy] = useState(false);
  const act = async (work: (parts: string[]) => Promise<void> | void) => {
    if (isBusy) return;
    setBusy(true);
    try {
      await work(await textOf(value));
    } finally {
      setBusy(false);
    }
  };
  const onCopy = () =>
    act((parts) =>
      copy(
        parts.join(""),
        { title: `Copied ${what}` },
        { title: `Could not copy ${what}`, detail: "Download it instead." },
      ),
    );
  const type = typeof value === "string" ? "text/plain" : "application/json";
  return (
    <span className="flex">
      <IconButton size="small" label={`Copy ${what}`} loading={isBusy} onClick={onCopy}>
        <Copy />
      </IconButton>
      <IconButton
        size="small"
        label={`Download ${what}`}
        onClick={() => act((parts) => saveBlob(new Blob(parts, { type }), fileName))}
      >
        <Download />
      </IconButton>
    </span>
  );
}
