import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";

/** Of one probe, in ms: how long the answer took, and how much of that the two main threads waited for one of the machine's cores. */
export interface Probed {
  readonly at: number;
  readonly took: number;
  readonly waited: number;
  /** Resident memory of the service, in bytes. */
  readonly rss: number;
}

const port = Number(process.env.PROBED_PORT);
const pid = Number(process.env.PROBED_PID);
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/** What a thread has waited for a core since it began, in ms; 0 where the system does not say it. */
function waitedFor(task: string): number {
  try {
    return Number(readFileSync(`/proc/${task}/schedstat`, "utf8").split(" ")[1]) / 1e6;
  } catch {
    return 0;
  }
}

const waits = () => waitedFor(`${pid}/task/${pid}`) + waitedFor(`self/task/${process.pid}`);

function residentBytes(): number {
  return Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]) * 4_096;
}

/** Asks the service, on a connection of its own, whether it is alive: it answers when its event loop comes to it. */
function probe(): void {
  const begun = performance.now();
  const waited = waits();
  const next = () => {
    const took = performance.now() - begun;
    const probed: Probed = { at: begun, took, waited: waits() - waited, rss: residentBytes() };
    process.send?.(probed);
    setTimeout(probe, 20);
  };
  request({ port, host: "127.0.0.1", path: "/healthz", agent }, (answer) => answer.resume().on("end", next))
    .on("error", next)
    .end();
}
probe();
