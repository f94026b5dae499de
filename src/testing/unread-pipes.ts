import { execFileSync, spawn } from "node:child_process";
import { closeSync, constants, openSync, readSync, writeSync } from "node:fs";
import { join } from "node:path";
import { builtFile } from "./built.ts";

/** Takes nothing more: neither a pipe that nobody reads nor a file on a disk that is full. */
export function fillUp(writing: number): void {
  const takes = () => {
    try {
      return writeSync(writing, "x".repeat(4_096)) > 0;
    } catch {
      return false;
    }
  };
  while (takes());
  closeSync(writing);
}

/** A file whose every write fails as on a disk that is broken: there is no memory at its beginning. Of Linux alone. */
export const failingDisk = (): number => openSync("/proc/self/mem", "r+");

/** A pipe that nobody reads: `fill` until nothing more goes into it. */
export function unreadPipe(path: string) {
  execFileSync("mkfifo", [path]);
  // Where nobody has it open to read, nobody can open it to write.
  const end = openSync(path, constants.O_RDWR);
  return {
    end,
    fill: () => fillUp(openSync(path, constants.O_WRONLY | constants.O_NONBLOCK)),
    close: () => closeSync(end),
  };
}

/** Reads a pipe: each `take` what is in it by then. */
export function readPipe(path: string) {
  const end = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const room = Buffer.alloc(65_536);
  let text = "";
  /** @returns all that was read so far */
  const take = (): string => {
    try {
      for (;;) text += room.toString("latin1", 0, readSync(end, room));
    } catch {
      // There is no more for now.
    }
    return text;
  };
  return { end, take };
}

/** The end to write of a pipe whose reader is gone once `close` was called. */
export function closedPipe(path: string) {
  execFileSync("mkfifo", [path]);
  const reading = openSync(path, constants.O_RDWR);
  const end = openSync(path, constants.O_WRONLY);
  const close = () => [reading, end].forEach(closeSync);
  return { end, close };
}

/** Where what a process says goes. */
export type Said = [out: number | "ignore", err: number | "ignore"];

/** `wheelhouse start` as a process, with these flags. @param folder for its data */
export function startWith(args: readonly string[], database: string, folder: string, stdio: Said) {
  const places = ["--data", join(folder, "data"), "--files", join(folder, "files")];
  const child = spawn(process.execPath, [builtFile("service/main"), "start", ...args, ...places], {
    env: {
      ...{ PATH: process.env.PATH, HOME: process.env.HOME, DATABASE_URL: database },
      WHEELHOUSE_SECRET: "a secret that only tests have, 32+",
    },
    stdio: ["ignore", ...stdio],
  });
  return { child, code: new Promise<number | null>((done) => child.once("exit", done)) };
}
