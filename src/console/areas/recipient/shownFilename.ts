import { shownName } from "../../lib/shownName.ts";

/** A file's name as it may be shown; a file without one is called so. */
export function shownFilename(name: string | null | undefined): string {
  return name ? shownName(name) : "A file without a name";
}
