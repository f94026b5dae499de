import File from "lucide-react/icons/file";
import { formatSize } from "../../../lib/time/format.ts";
import { SkeletonRows } from "../../../ui/SkeletonRows.tsx";
import { Remark } from "./Remark.tsx";

/** A file of 0 bytes. */
export function Empty() {
  return (
    <Remark icon={<File />} title="This file is empty">
      It has 0 bytes.
    </Remark>
  );
}

/** While a file is read; of a big one, how much came so far. */
export function Reading({ readSoFar = 0 }: { readSoFar?: number }) {
  return (
    <div className="min-h-0 flex-1 overflow-hidden">
      {readSoFar > 0 && (
        <p className="px-edge-left py-2 text-muted text-secondary tabular-nums">
          {formatSize(readSoFar)} read so far
        </p>
      )}
      <SkeletonRows label="Reading the file" rows={10} columns={["32px", "2fr", "1fr", "1fr"]} />
    </div>
  );
}
