import { join } from "node:path";
import { inject } from "vitest";

/**
 * What this run has built of a source that a test starts as a process of its own.
 * @param name the source below src, without its ending, such as `service/main`; one of those that `buildProcesses` builds
 * @returns the path of its JavaScript
 */
export function builtFile(name: string): string {
  return join(inject("built"), `${name}.js`);
}
