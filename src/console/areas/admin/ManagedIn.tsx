import Lock from "lucide-react/icons/lock";
import { fileName } from "./labels.ts";

/** Says of a value, or of all of a row, that the workspace's file sets it. */
export function ManagedMark() {
  return (
    <span className="inline-flex items-baseline gap-1 text-muted text-secondary" title={`Set in ${fileName}`}>
      <Lock className="size-3 self-center" />
      {fileName}
    </span>
  );
}
