import { useMemo } from "react";
import { tame } from "../../../api/tame.ts";
import { JsonView } from "../../../lib/json/JsonView.tsx";
import { Notice } from "../../../ui/Notice.tsx";
import { looksBinary, textOf } from "../read-file.ts";
import { FileFailure, FileTroubled } from "./FileFailure.tsx";
import { Lines } from "./Lines.tsx";
import type { ViewProps } from "./Preview.tsx";
import { Empty, Reading } from "./parts.tsx";
import { mostOfTree, useFileBytes } from "./useFileBytes.ts";

/** JSON as a tree; a text that is none, or too much of it, as it was written. */
export default function JsonFileView({ version, name, most, download }: ViewProps) {
  const { read, readSoFar } = useFileBytes(version, most);
  const bytes = read.data?.bytes;
  const parsed = useMemo(() => (bytes && bytes.length <= mostOfTree ? parse(bytes) : null), [bytes]);
  if (read.isError) {
    return (
      <FileFailure error={read.error} onRetry={() => void read.refetch()} isRetrying={read.isFetching} />
    );
  }
  if (!read.data || !bytes) return <Reading readSoFar={readSoFar} />;
  if (bytes.length === 0) return <Empty />;
  if (looksBinary(bytes)) return <FileTroubled why="broken">{download}</FileTroubled>;
  if (parsed === null) {
    return (
      <>
        <Notice kind="waits">
          {bytes.length <= mostOfTree
            ? "This is not JSON that can be read. It is shown as it was written."
            : "Too much for a tree. It is shown as it was written."}
        </Notice>
        <Lines bytes={bytes} label={name} isCode isCut={!read.data.isWhole} />
      </>
    );
  }
  return (
    <section
      aria-label={`JSON of ${name}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      className="focus-inset min-h-0 flex-1 overflow-auto py-4 pr-edge-right pl-edge-left"
    >
      <JsonView value={parsed.value} label={name} />
    </section>
  );
}

function parse(bytes: Uint8Array): { readonly value: unknown } | null {
  const text = textOf(bytes);
  try {
    return { value: tame(JSON.parse(text), text) };
  } catch {
    return null;
  }
}
