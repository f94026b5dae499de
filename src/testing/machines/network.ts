import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A machine of its own as far as the network and its name go: a namespace on the bridge that all share. */
export interface Machine {
  readonly name: string;
  readonly address: string;
  /** As it is run there; the process has the id that it would have without. */
  command(command: readonly string[]): readonly [string, ...string[]];
  spawn(command: readonly string[], options?: SpawnOptions): ChildProcess;
  /** Pulls its cable: it lives on, reaches nobody and hears from nobody, and no connection is told. */
  cut(): void;
  /** Drops all that goes from it to another machine, and reaches all others. */
  cutFrom(other: Machine): void;
  /** It is whole again. */
  join(): void;
}

/** Machines on one bridge. The one that runs the test is on it as well. */
export interface Network {
  /** Of the test itself. */
  readonly address: string;
  /** All know each other by name. */
  readonly machines: Readonly<Record<string, Machine>>;
  machine(name: string): Machine;
  /** Kills what still runs there, and takes all of it away. */
  remove(): void;
}

const namesAt = "/etc/netns";

function run(...[program, ...args]: readonly [string, ...string[]]): string {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")} ended with ${status}: ${stderr}`);
  return stdout;
}

/** @returns why there can be no such machines here; null: there can */
export function missingForMachines(): string | null {
  if (process.platform !== "linux" || process.getuid?.() !== 0)
    return "network namespaces need root on Linux";
  const tried = spawnSync("unshare", ["--net", "--uts", "ip", "link", "set", "lo", "up"]);
  return tried.status === 0 ? null : "network namespaces are not allowed here, or there is no ip (iproute2)";
}

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** Of this process and of those that left theirs behind. */
function removeOf(isTheirs: (pid: number) => boolean): void {
  const left = (list: string) =>
    list.split("\n").flatMap((line) => {
      const [, name, id] = /(w[hb]-([0-9a-z]+)(?:-[\w-]+)?)/.exec(line) ?? [];
      return name !== undefined && isTheirs(Number.parseInt(id ?? "", 36)) ? [name] : [];
    });
  for (const name of left(run("ip", "netns", "list"))) {
    const pids = run("ip", "netns", "pids", name).split("\n").filter(Boolean);
    // Some may just have ended.
    if (pids.length > 0) spawnSync("kill", ["-KILL", ...pids]);
    run("ip", "netns", "delete", name);
    rmSync(join(namesAt, name), { recursive: true, force: true });
  }
  for (const name of left(run("ip", "-o", "link", "show", "type", "bridge")))
    run("ip", "link", "delete", name);
}

/** @param names of the machines. At most a hundred; names as hosts have them */
export function openNetwork(names: readonly string[]): Network {
  removeOf((pid) => pid === process.pid || !isAlive(pid));
  const id = process.pid.toString(36);
  const bridge = `wb-${id}`;
  const subnet = `10.83.${process.pid % 250}`;
  const address = `${subnet}.254`;
  run("ip", "link", "add", bridge, "type", "bridge");
  run("ip", "address", "add", `${address}/24`, "dev", bridge);
  run("ip", "link", "set", bridge, "up");
  const addressOf = (at: number) => `${subnet}.${at + 1}`;
  const hosts = names.map((name, at) => `${addressOf(at)} ${name}\n`).join("");

  const machines = Object.fromEntries(
    names.map((name, at): [string, Machine] => {
      const space = `wh-${id}-${name}`;
      const cable = `wv-${id}-${at}`;
      const inside = (...command: readonly string[]) => run("ip", "netns", "exec", space, ...command);
      run("ip", "netns", "add", space);
      mkdirSync(join(namesAt, space), { recursive: true });
      writeFileSync(join(namesAt, space, "hosts"), `127.0.0.1 localhost\n${hosts}`);
      run("ip", "link", "add", cable, "type", "veth", "peer", "name", "eth0", "netns", space);
      run("ip", "link", "set", cable, "master", bridge, "up");
      inside("ip", "address", "add", `${addressOf(at)}/24`, "dev", "eth0");
      for (const device of ["lo", "eth0"]) inside("ip", "link", "set", device, "up");
      const command: Machine["command"] = (what) => {
        const named = ["sh", "-c", 'hostname "$0" && exec "$@"', name];
        return ["ip", "netns", "exec", space, "unshare", "--uts", ...named, ...what];
      };
      return [
        name,
        {
          name,
          address: addressOf(at),
          command,
          spawn(what, options = {}) {
            const [program, ...args] = command(what);
            return spawn(program, args, options);
          },
          cut: () => void run("ip", "link", "set", cable, "down"),
          cutFrom(other) {
            inside("nft", "add", "table", "inet", "cut");
            inside("nft", "add", "chain", "inet", "cut", "out", "{ type filter hook output priority 0; }");
            inside("nft", "add", "rule", "inet", "cut", "out", "ip", "daddr", other.address, "drop");
          },
          join() {
            run("ip", "link", "set", cable, "up");
            if (inside("nft", "list", "tables").includes("inet cut"))
              inside("nft", "delete", "table", "inet", "cut");
          },
        },
      ];
    }),
  );
  return {
    address,
    machines,
    machine(name) {
      const found = machines[name];
      if (found === undefined) throw new Error(`there is no machine ${name}`);
      return found;
    },
    remove: () => removeOf((pid) => pid === process.pid),
  };
}
