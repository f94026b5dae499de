import { type ChildProcess, spawn } from "node:child_process";
import { builtFile } from "./built.ts";
import { root } from "./source-files.ts";
import { until } from "./until.ts";

/** One process of the command line. */
export interface Program {
  readonly child: ChildProcess;
  /** So far. */
  readonly said: { out: string; err: string };
  /** Its exit code once it has said its last word; null where a signal ended it. */
  readonly code: Promise<number | null>;
}

/** Processes that a test file starts, none of which outlives it. */
export interface Programs {
  /**
   * @param args of `wheelhouse`
   * @param variables all of its environment but PATH and HOME
   * @param program of another release; default this one, as it is built for tests
   */
  start(args: readonly string[], variables?: Readonly<Record<string, string>>, program?: string): Program;
  /** @returns when all have ended */
  endAll(signal: "SIGTERM" | "SIGKILL"): Promise<void>;
}

export function createPrograms(): Programs {
  const running = new Set<Program>();
  return {
    start(args, variables = {}, program = builtFile("service/main")) {
      const child = spawn(process.execPath, [program, ...args], {
        cwd: root,
        env: { PATH: process.env.PATH, HOME: process.env.HOME, ...variables },
        stdio: ["ignore", "pipe", "pipe"],
      });
      const said = { out: "", err: "" };
      child.stdout.on("data", (text) => (said.out += String(text)));
      child.stderr.on("data", (text) => (said.err += String(text)));
      const code = new Promise<number | null>((done) => child.once("close", done));
      const one = { child, said, code };
      running.add(one);
      void code.then(() => running.delete(one));
      return one;
    },
    async endAll(signal) {
      const ends = [...running].map(({ child, code }) => {
        child.kill(signal);
        return code;
      });
      await Promise.all(ends);
    },
  };
}

/** Waits until a service is ready. @throws with all that it said where it ends before */
export async function untilReady({ child, said }: Program, port: number): Promise<void> {
  await until("the service is ready", async () => {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`it ended with ${child.exitCode ?? child.signalCode}:\n${said.out}${said.err}`);
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
    return answer?.status === 200;
  });
}
