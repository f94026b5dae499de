import { readdirSync, readFileSync } from "node:fs";

/** Of the kernel's clock, on every Linux that Node runs on. */
const ticksPerSecond = 100;

interface Process {
  readonly parent: number;
  readonly ticks: number;
  readonly command: string;
}

/**
 * The processor time, in seconds, of everything that works on a data directory: the service, its database, and what they
 * started and has ended since. Linux alone.
 */
export function cpuSeconds(dataDirectory: string): number {
  const processes = new Map<number, Process>();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      const fields = stat
        .slice(stat.lastIndexOf(")") + 2)
        .split(" ")
        .map(Number);
      // utime, stime and those of children that ended.
      const ticks = fields.slice(11, 15).reduce((sum, ticks) => sum + ticks, 0);
      const command = readFileSync(`/proc/${name}/cmdline`, "utf8");
      processes.set(Number(name), { parent: fields[1] ?? 0, ticks, command });
    } catch {
      // It ended meanwhile.
    }
  }
  const isOf = (id: number): boolean => {
    const found = processes.get(id);
    return found !== undefined && (found.command.includes(dataDirectory) || isOf(found.parent));
  };
  const ticks = [...processes].map(([id, { ticks }]) => (isOf(id) ? ticks : 0));
  return ticks.reduce((sum, one) => sum + one, 0) / ticksPerSecond;
}
