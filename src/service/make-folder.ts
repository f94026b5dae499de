import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { codeOf } from "./store/store-error.ts";

/**
 * Makes a folder that a person has named, or one below it, and those above. Node's own `recursive` never returns
 * below a folder in which the system has nothing made, such as `/proc`: it answers ENOENT though the parent is there, and Node
 * tries again for ever.
 * @param path absolute
 * @param mode its rights, where it is made here
 * @param modeAbove the rights of those above it that are made here
 * @throws the system's error, where it cannot be made or something that is no folder has its name
 */
export function makeFolder(path: string, mode: number, modeAbove = mode): void {
  try {
    mkdirOnce(path, mode);
  } catch (error) {
    const parent = dirname(path);
    if (codeOf(error) !== "ENOENT" || parent === path) throw error;
    makeFolder(parent, modeAbove);
    mkdirOnce(path, mode);
  }
}

/** One that is there already is as it is, also behind a link. */
function mkdirOnce(path: string, mode: number): void {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    if (codeOf(error) !== "EEXIST" || !statSync(path).isDirectory()) throw error;
  }
}
