import type { NotedHead } from "../audit/verify.ts";
import { UsageError } from "./usage-error.ts";

/** What `audit verify` was given. */
export interface AuditVerify {
  /** An end of the log that was noted before; null: none. */
  readonly head: NotedHead | null;
  /** The file with secrets that the installation had before, one a line; null: none. */
  readonly formerSecrets: string | null;
  readonly json: boolean;
}

/** @param text as `audit verify` prints it: position and seal @throws UsageError */
export function readNotedHead(text: string): NotedHead {
  const [, position, seal] = /^(\d{1,15}):([0-9a-f]{8,64})$/.exec(text) ?? [];
  if (position === undefined || seal === undefined)
    throw new UsageError("--head must be POSITION:SEAL, as audit verify has printed it");
  return { position: Number(position), seal };
}
