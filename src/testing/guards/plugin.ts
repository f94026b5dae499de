import { join } from "node:path";
import type { Plugin } from "vite";
import { root } from "../source-files.ts";
import { guardVariable, switchOff } from "./guard.ts";
import { guards } from "./guards.ts";

/**
 * Makes a test build without one guard: the one that the environment names, or none. It is part of everything that tests
 * compile, so that the processes which they start are without it too.
 * @throws Error for a name that no guard has
 */
export function withoutGuard(): Plugin[] {
  const id = process.env[guardVariable];
  if (id === undefined) return [];
  const guard = guards.find((one) => one.id === id);
  if (guard === undefined) throw new Error(`${guardVariable}: there is no guard ${id}`);
  const path = join(root, guard.file);
  return [
    {
      name: "wheelhouse-without-guard",
      enforce: "pre",
      transform: (code, from) =>
        from.split("?")[0] === path ? { code: switchOff(code, guard), map: null } : undefined,
    },
  ];
}
