import type { ChildProcess } from "node:child_process";
import { builtFile } from "../built.ts";
import { type Figures, figures } from "../metrics.ts";
import { root } from "../source-files.ts";
import { until } from "../until.ts";
import type { Machine } from "./network.ts";

/** A process of Wheelhouse on a machine of its own, which is started again and again. */
export interface Station {
  readonly machine: Machine;
  readonly kind: "start" | "worker";
  /** @returns when it is ready */
  start(): Promise<void>;
  /** @returns its exit code, null after a kill, and how long it took in milliseconds */
  end(signal: "SIGTERM" | "SIGKILL"): Promise<{ code: number | null; ms: number }>;
  isReady(): Promise<boolean>;
  metrics(): Promise<Figures>;
  /** All that it has said since its last start. */
  said(): string;
}

export const servicePort = 7_700;
const metricsPort = 9_464;

/**
 * @param flags of all processes of this installation
 * @param ownFlags of this one
 */
export function createStation(
  machine: Machine,
  kind: Station["kind"],
  environment: Readonly<Record<string, string>>,
  flags: readonly string[],
): Station {
  let child: ChildProcess | null = null;
  let said = "";
  const call = (port: number, path: string) =>
    fetch(`http://${machine.address}:${port}${path}`, { signal: AbortSignal.timeout(2_000) }).catch(
      () => null,
    );
  const isReady = async () =>
    kind === "worker"
      ? said.includes("a worker runs up to")
      : (await call(servicePort, "/readyz"))?.status === 200;
  return {
    machine,
    kind,
    isReady,
    async start() {
      said = "";
      const own = [...flags, "--metrics", `0.0.0.0:${metricsPort}`];
      const started = machine.spawn([process.execPath, builtFile("service/main"), kind, ...own], {
        cwd: root,
        stdio: ["ignore", "pipe", "pipe"],
        env: { PATH: process.env.PATH, HOME: process.env.HOME, ...environment },
      });
      child = started;
      for (const stream of [started.stdout, started.stderr])
        stream?.on("data", (text) => (said += String(text)));
      await until(`${machine.name} is ready`, async () => {
        if (started.exitCode !== null)
          throw new Error(`${machine.name} ended with ${started.exitCode}:\n${said}`);
        return await isReady();
      });
    },
    async end(signal) {
      if (child === null) throw new Error(`${machine.name} was never started`);
      // By itself, or by somebody else's hand: what it said last tells.
      if (child.exitCode !== null || child.signalCode !== null)
        throw new Error(
          `${machine.name} had ended with ${child.exitCode ?? child.signalCode}:\n${said.slice(-2_000)}`,
        );
      const ending = child;
      const begun = performance.now();
      const closed = new Promise<number | null>((resolve) => ending.once("close", resolve));
      ending.kill(signal);
      return { code: await closed, ms: performance.now() - begun };
    },
    async metrics() {
      const answer = await call(metricsPort, "/metrics");
      if (answer?.status !== 200) throw new Error(`${machine.name} tells no metrics:\n${said.slice(-2_000)}`);
      return figures(await answer.text());
    },
    said: () => said,
  };
}
