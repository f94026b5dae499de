import { resolve } from "node:path";
import { readFolder } from "./read-place.ts";
import { UsageError } from "./usage-error.ts";

/** `upgrade`. */
export interface UpgradeCommand {
  readonly type: "upgrade";
  /** Tries it on a copy, and changes nothing. */
  readonly check: boolean;
  /** The folder for the copy, absolute; null: the system's for temporary files. */
  readonly copy: string | null;
  readonly json: boolean;
}

interface Values {
  readonly check?: boolean | undefined;
  readonly copy?: string | undefined;
  readonly json?: boolean | undefined;
}

/** @throws UsageError */
export function readUpgrade({ check = false, copy, json = false }: Values, cwd: string): UpgradeCommand {
  if (copy !== undefined && !check) throw new UsageError("--copy belongs to upgrade --check; see --help");
  return {
    type: "upgrade",
    check,
    copy: copy === undefined ? null : readFolder(resolve(cwd, copy), "--copy"),
    json,
  };
}
