import { useMemo, useState } from "react";
import type { Comparison } from "../../../lib/diff/compare-lines.ts";
import type { DiffLook } from "../../../lib/diff/DiffRow.tsx";
import { LineDiff } from "../../../lib/diff/LineDiff.tsx";
import { Button } from "../../../ui/Button.tsx";
import type { Kind } from "../kind.ts";
import { copyOf, useOpened, useRows } from "../preview/useOpenedFile.ts";
import { FileFailure, FileTroubled, limitsOf, Reading, useFileBytes } from "../preview/view.tsx";
import { looksBinary, shownInvisible } from "../read-file.ts";
import type { FileClient, OpenedFile } from "../worker/file-client.ts";
import type { FileVersion } from "./useVersions.ts";

type Props = {
  /** The earlier one. */
  a: FileVersion;
  b: FileVersion;
  kind: Kind;
  name: string;
};

const { ask } = limitsOf("text");

/** Two versions of a text beside each other, lined up. JSON is laid out first, so that only what it says counts. */
export default function VersionDiff({ a, b, kind, name }: Props) {
  const isBig = Math.max(a.size ?? 0, b.size ?? 0) > ask;
  const [isWanted, setWanted] = useState(false);
  if (isBig && !isWanted) {
    return (
      <p className="flex items-center gap-3 p-5 text-muted">
        These versions are large: comparing them may take a while.
        <Button size="small" onClick={() => setWanted(true)}>
          Compare anyway
        </Button>
      </p>
    );
  }
  return <Compared key={`${a.key} ${b.key}`} {...{ a, b, kind, name }} />;
}

function Compared({ a, b, kind, name }: Props) {
  const { most } = limitsOf("text");
  const readA = useFileBytes(a, most).read;
  const readB = useFileBytes(b, most).read;
  const bytesA = readA.data?.bytes;
  const bytesB = readB.data?.bytes;
  const isBinary = [bytesA, bytesB].some((bytes) => bytes !== undefined && looksBinary(bytes));
  const start = useMemo(() => {
    if (!bytesA || !bytesB || isBinary) return null;
    return (client: FileClient) => client.compare(copyOf(bytesA), copyOf(bytesB), kind === "json");
  }, [bytesA, bytesB, isBinary, kind]);
  const { file, trouble } = useOpened(start);
  for (const read of [readA, readB]) {
    if (read.isError) return <FileFailure read={read} />;
  }
  if (trouble || isBinary) return <FileTroubled why={trouble ?? "broken"} />;
  if (!file?.comparison) return <Reading />;
  return <Lines file={file} comparison={file.comparison} a={a} b={b} name={name} />;
}

const counts = {
  differ: ["line changed", "lines changed"],
  onlyA: "removed",
  onlyB: "added",
  none: "These versions are identical.",
} as const;

type LinesProps = { file: OpenedFile; comparison: Comparison; a: FileVersion; b: FileVersion; name: string };

function Lines({ file, comparison, a, b, name }: LinesProps) {
  const sides = { a: useRows(file, 0), b: useRows(file, 1) };
  if (sides.a.isLost || sides.b.isLost) return <FileTroubled why="no reader" />;
  const look: DiffLook = {
    textOf: (side, line) => shownInvisible(sides[side].rowAt(line)?.[0] ?? ""),
    names: { a: "Before", b: "After" },
  };
  return (
    <LineDiff
      comparison={comparison}
      what="versions"
      label={`Lines of both versions of ${name}`}
      counts={counts}
      heads={[`Version ${a.number ?? "before"}`, `Version ${b.number ?? "after"}`]}
      look={look}
      onView={(side, line) => sides[side].want(line, line + 1)}
      empty="Both versions are empty."
    />
  );
}
