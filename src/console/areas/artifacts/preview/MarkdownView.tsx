import { useMemo } from "react";
import { MarkdownProvider } from "../../../lib/markdown/MarkdownProvider.tsx";
import { MarkdownText } from "../../../lib/markdown/MarkdownText.tsx";
import { looksBinary, textOf } from "../read-file.ts";
import { FileFailure, FileTroubled } from "./FileFailure.tsx";
import type { ViewProps } from "./Preview.tsx";
import { Empty, Reading } from "./parts.tsx";
import { useFileBytes } from "./useFileBytes.ts";

/** Markdown, laid out: no HTML in it, no pictures from elsewhere. */
export default function MarkdownView({ version, name, most, download }: ViewProps) {
  const { read, readSoFar } = useFileBytes(version, most);
  const bytes = read.data?.bytes;
  const text = useMemo(() => (bytes && !looksBinary(bytes) ? textOf(bytes) : null), [bytes]);
  if (read.isError) {
    return (
      <FileFailure error={read.error} onRetry={() => void read.refetch()} isRetrying={read.isFetching} />
    );
  }
  if (!bytes) return <Reading readSoFar={readSoFar} />;
  if (bytes.length === 0) return <Empty />;
  if (text === null) return <FileTroubled why="broken">{download}</FileTroubled>;
  return (
    <section
      aria-label={`Text of ${name}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      className="focus-inset min-h-0 flex-1 overflow-auto py-5 pr-edge-right pl-edge-left"
    >
      <div className="max-w-text">
        <MarkdownProvider>
          <MarkdownText text={text} />
        </MarkdownProvider>
      </div>
    </section>
  );
}
