import { type ChildProcess, spawnSync } from "node:child_process";
import { appendFileSync, chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { databaseAccount } from "../../service/store/embedded/account.ts";
import { findBinaries } from "../../service/store/embedded/binaries.ts";
import { until } from "../until.ts";
import type { Machine } from "./network.ts";

/** A PostgreSQL on a machine of its own that others reach by the network, with a password. */
export interface Postgres {
  /** For whoever is on the same network. */
  readonly url: string;
  start(): Promise<void>;
  /** As `pg_ctl stop -m fast`: all connections end, and nothing that was committed is lost. */
  stop(): Promise<void>;
  remove(): Promise<void>;
}

/** Who comes with which password to which database. */
interface Login {
  readonly user: string;
  readonly password: string;
  readonly database: string;
}

/**
 * Makes and starts it, with the settings of docs/more-machines.md.
 * @param network whose machines may come, such as `10.83.7.0/24`
 */
export async function openPostgres(
  machine: Machine,
  network: string,
  settings: readonly string[],
  { user, password, database }: Login = {
    user: "wheelhouse",
    password: "of the database",
    database: "wheelhouse",
  },
): Promise<Postgres> {
  const account = await databaseAccount();
  if (account === null) throw new Error("only root has machines");
  const folder = mkdtempSync(join(tmpdir(), "wheelhouse-postgres-"));
  const data = join(folder, "data");
  chmodSync(folder, 0o755);
  mkdirSync(data, { mode: 0o700 });
  chownSync(data, account.uid, account.gid);
  const binaries = await findBinaries(account, folder);
  const asAccount = ["setpriv", `--reuid=${account.uid}`, `--regid=${account.gid}`, "--clear-groups"];
  const execute = (command: readonly string[]) => {
    const [program, ...args] = machine.command([...asAccount, ...command]);
    const { status, stderr } = spawnSync(program, args, { encoding: "utf8", cwd: folder });
    if (status !== 0) throw new Error(`${command.join(" ")} ended with ${status}: ${stderr}`);
  };
  const options = ["--auth=trust", `--username=${user}`, "--encoding=UTF8", "--locale=C", "--no-sync"];
  execute([binaries.initdb, `--pgdata=${data}`, ...options]);
  appendFileSync(join(data, "pg_hba.conf"), `host all all ${network} scram-sha-256\n`);
  let server: ChildProcess | null = null;
  const ready = async (child: ChildProcess): Promise<void> => {
    let said = "";
    child.stderr?.on("data", (text) => (said += String(text)));
    await until("PostgreSQL takes connections", () => {
      if (child.exitCode !== null) throw new Error(`PostgreSQL ended with ${child.exitCode}:\n${said}`);
      return said.includes("database system is ready to accept connections");
    });
  };
  const self: Postgres = {
    url: `postgresql://${user}:${encodeURIComponent(password)}@${machine.address}:5432/${database}`,
    async start() {
      const all = [
        `listen_addresses=${machine.address}`,
        "unix_socket_directories=",
        "logging_collector=off",
        ...settings,
      ];
      const flags = all.flatMap((setting) => ["-c", setting]);
      server = machine.spawn([...asAccount, binaries.postgres, "-D", data, ...flags], {
        cwd: folder,
        stdio: ["ignore", "ignore", "pipe"],
      });
      await ready(server);
    },
    async stop() {
      if (server === null || server.exitCode !== null || server.signalCode !== null) return;
      const closed = new Promise((resolve) => server?.once("close", resolve));
      server.kill("SIGINT");
      await closed;
    },
    async remove() {
      await self.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  // By the one way in that asks for no password.
  execute([
    "sh",
    "-c",
    `printf '%s\n\n%s\n\n' "alter role ${user} password '${password}';" "create database ${database};" | ${binaries.postgres} --single -j -D ${data} postgres >/dev/null`,
  ]);
  await self.start();
  return self;
}
