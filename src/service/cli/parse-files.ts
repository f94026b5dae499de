import type { Config, FilesPlace } from "../config.ts";
import { placeText } from "../files/open-files.ts";
import { readRate } from "./parse-backup.ts";
import { readPlace } from "./read-place.ts";
import { UsageError } from "./usage-error.ts";

/** `files move --to PLACE`. */
export interface FilesMove {
  readonly type: "files-move";
  readonly to: FilesPlace;
  /** The same as it was given. */
  readonly toText: string;
  /** Compares also what is there already. */
  readonly verify: boolean;
  /** Bytes a second; null: as fast as it goes. */
  readonly rate: number | null;
  readonly json: boolean;
}

interface Values {
  readonly to?: string | undefined;
  readonly verify?: boolean | undefined;
  readonly rate?: string | undefined;
  readonly json?: boolean | undefined;
}

/** `files adopt` or `files move`. @throws UsageError */
export function readFiles(
  rest: readonly string[],
  { to, verify = false, rate, json = false }: Values,
  config: Config,
  cwd: string,
): FilesMove | { readonly type: "files-adopt" } {
  const [action, ...more] = rest;
  if (more.length > 0 || (action !== "adopt" && action !== "move"))
    throw new UsageError("files takes adopt or move; see --help");
  if (action === "adopt") {
    if (to !== undefined || rate !== undefined || verify || json)
      throw new UsageError("--to, --rate, --verify and --json belong to files move");
    return { type: "files-adopt" };
  }
  if (to === undefined) throw new UsageError("files move takes --to PLACE; see --help");
  const place = readPlace(to, "--to", config.environment, cwd);
  if (isSamePlace(place, config.filesAt)) throw new UsageError("--to must be another place than --files");
  return {
    type: "files-move",
    to: place,
    toText: to,
    verify,
    rate: rate === undefined ? null : readRate(rate),
    json,
  };
}

function isSamePlace(one: FilesPlace, other: FilesPlace): boolean {
  const endpoints = [one, other].map((place) => (place.type === "s3" ? place.endpoint : ""));
  return placeText(one) === placeText(other) && endpoints[0] === endpoints[1];
}
