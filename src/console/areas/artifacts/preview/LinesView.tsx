import { looksBinary } from "../read-file.ts";
import { FileFailure, FileTroubled } from "./FileFailure.tsx";
import { Lines } from "./Lines.tsx";
import type { ViewProps } from "./Preview.tsx";
import { Empty, Reading } from "./parts.tsx";
import { useFileBytes } from "./useFileBytes.ts";

/** Text and code as they were written, with the numbers of their lines. */
export default function LinesView({ version, name, kind, most, download }: ViewProps) {
  const { read, readSoFar } = useFileBytes(version, most);
  if (read.isError) {
    return (
      <FileFailure error={read.error} onRetry={() => void read.refetch()} isRetrying={read.isFetching} />
    );
  }
  if (!read.data) return <Reading readSoFar={readSoFar} />;
  const { bytes, isWhole } = read.data;
  if (bytes.length === 0) return <Empty />;
  if (looksBinary(bytes)) return <FileTroubled why="broken">{download}</FileTroubled>;
  return <Lines bytes={bytes} label={name} isCode={kind === "code"} isCut={!isWhole} />;
}
