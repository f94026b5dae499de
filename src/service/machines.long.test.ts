import { type ChildProcess, spawnSync } from "node:child_process";
import { join } from "node:path";
import pino from "pino";
import { afterAll, afterEach, beforeAll, describe, expect, onTestFailed, test } from "vitest";
import { testFolder } from "../testing/backup.ts";
import { builtFile } from "../testing/built.ts";
import { brokenInvariants } from "../testing/engine.ts";
import { type Load, startLoad } from "../testing/machines/load.ts";
import { missingForMachines, type Network, openNetwork } from "../testing/machines/network.ts";
import { openPostgres, type Postgres } from "../testing/machines/postgres.ts";
import { createStation, type Station, servicePort } from "../testing/machines/station.ts";
import { writeWorkspace } from "../testing/machines/workspace.ts";
import { type ObjectStore, obtainS3rver } from "../testing/object-stores.ts";
import { root } from "../testing/source-files.ts";
import { until } from "../testing/until.ts";
import { connectStore, type Store } from "./store/store.ts";

/** How long others may need until they go on with what a machine had that is gone. */
const takeoverMs = 13_000;
const key = "wh_key_of_ada_on_five_machines_0123";
const services = ["service-1", "service-2", "service-3"];
const workers = ["worker-1", "worker-2"];
/** As docs/more-machines.md says for five processes. */
const settings = ["max_connections=150"];

/** Debian's; installed here where that may be. */
function missing(): string | null {
  const lacks = missingForMachines();
  if (lacks !== null) return lacks;
  const isThere = () => spawnSync("haproxy", ["-v"]).status === 0 && spawnSync("nft", ["-v"]).status === 0;
  const install = ["install", "-y", "--no-install-recommends", "haproxy", "nftables"];
  if (!isThere()) {
    spawnSync("apt-get", ["update"]);
    spawnSync("apt-get", install, { env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } });
  }
  return isThere() ? null : `there is no HAProxy or nft (Debian: apt-get ${install.join(" ")})`;
}

const lacks = missing();
if (lacks !== null) process.stderr.write(`left out: ${lacks}\n`);
const say = (line: string) => process.stdout.write(`${line}\n`);
const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;

describe.skipIf(lacks !== null)(
  "five machines behind HAProxy, with PostgreSQL and an object store on a sixth",
  () => {
    const folder = testFolder();
    let network: Network;
    let postgres: Postgres;
    let objects: ObjectStore;
    let ledger: ChildProcess;
    let proxy: ChildProcess;
    let store: Store;
    let load: Load;
    let stations: readonly Station[] = [];

    const at = (name: string) => {
      const found = stations.find(({ machine }) => machine.name === name);
      if (found === undefined) throw new Error(`no ${name}`);
      return found;
    };

    beforeAll(async () => {
      network = openNetwork([...services, ...workers, "store", "outside", "proxy"]);
      const outside = network.machine("outside");
      const home = network.machine("store");
      ledger = outside.spawn([process.execPath, builtFile("testing/ledger-process")], {
        env: { PATH: process.env.PATH, PORT: "8000", WAIT_MS: "1500" },
        stdio: ["ignore", "ignore", "inherit"],
      });
      const s3rver = obtainS3rver(home);
      if (s3rver.missing !== null) throw new Error(s3rver.missing);
      postgres = await openPostgres(home, `${network.address}/24`, settings);
      objects = await s3rver.open();
      const { endpoint, bucket, credentials } = objects.place();
      const workspace = folder.in("workspace");
      writeWorkspace(workspace, `${outside.address}:8000`);
      const front = network.machine("proxy");
      const publicUrl = `http://${front.address}:8080`;
      const environment = {
        DATABASE_URL: postgres.url,
        WHEELHOUSE_SECRET: "a secret that five machines have, 32+",
        WHEELHOUSE_ADA_KEY: key,
        AWS_ACCESS_KEY_ID: credentials.accessKeyId,
        AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
        AWS_ENDPOINT_URL_S3: endpoint,
      };
      const flags = (name: string) => [
        ...["--data", folder.in(`data-${name}`), "--workspace", workspace],
        ...["--files", `s3://${bucket}/live`, "--public-url", publicUrl],
      ];
      const serving = ["--host", "0.0.0.0", "--port", String(servicePort), "--drain", "5"];
      stations = [
        ...services.map((name) =>
          createStation(network.machine(name), "start", environment, [...flags(name), ...serving]),
        ),
        ...workers.map((name) => createStation(network.machine(name), "worker", environment, flags(name))),
      ];
      await stations[0]?.start();
      await Promise.all(stations.slice(1).map((one) => one.start()));
      proxy = front.spawn(["haproxy", "-db", "-f", join(root, "deploy/haproxy.cfg")], {
        stdio: ["ignore", "ignore", "inherit"],
      });
      await until("HAProxy has three services", async () => {
        const seen = await Promise.all(services.map((name) => stateInProxy(name)));
        return seen.every((state) => state === "UP");
      });
      store = await connectStore({ connectionString: postgres.url }, { log: pino({ level: "silent" }) });
      load = startLoad(publicUrl, key, { run: "flow_outside", large: "flow_large" });
    }, 300_000);
    afterAll(async () => {
      await load?.stop();
      await store?.close();
      network?.remove();
      await objects?.stop();
      await postgres?.remove();
      folder.remove();
      ledger?.kill("SIGKILL");
      proxy?.kill("SIGKILL");
    });

    afterEach(({ task }) => {
      if (task.result?.state !== "fail") return;
      for (const { machine, said } of stations) {
        const warnings = said()
          .split("\n")
          .filter((line) => /^\{"level":[456]0/.test(line));
        say(`${machine.name} warned of:\n${warnings.slice(-20).join("\n").slice(0, 6_000)}`);
      }
    });

    /** What HAProxy thinks of a service, as it tells Prometheus. */
    async function stateInProxy(name: string): Promise<string | undefined> {
      const [program, ...args] = network
        .machine("proxy")
        .command([
          process.execPath,
          "-e",
          "fetch('http://127.0.0.1:8405/metrics').then(async (answer) => process.stdout.write(await answer.text()))",
        ]);
      const { stdout } = spawnSync(program, args, { encoding: "utf8" });
      const line = stdout
        .split("\n")
        .find(
          (one) =>
            one.startsWith("haproxy_server_status{") && one.includes(`"${name}"`) && one.endsWith(" 1"),
        );
      return /state="([^"]+)"/.exec(line ?? "")?.[1];
    }

    /** What runs in the hands of a machine's process. */
    async function heldBy(name: string): Promise<string[]> {
      const { rows } = await store.pool.query<{ id: string }>(
        "select id from executions where state = 'running' and owner like $1",
        [`${name}:%`],
      );
      return rows.map(({ id }) => id);
    }

    /** Until others have begun or ended all of these. @returns milliseconds */
    async function takenFrom(name: string, ids: readonly string[]): Promise<number> {
      const begun = performance.now();
      await until(
        `others go on with what ${name} had`,
        async () => {
          const { rows } = await store.pool.query(
            `select id from executions where id = any($1) and finished_at is null
              and (owner is null or owner like $2) and state in ('running', 'queued')`,
            [ids, `${name}:%`],
          );
          return rows.length === 0;
        },
        60_000,
      );
      return performance.now() - begun;
    }

    async function holdsSome(name: string): Promise<string[]> {
      let ids: string[] = [];
      await until(`${name} holds something`, async () => {
        ids = await heldBy(name);
        return ids.length > 1;
      });
      return ids;
    }

    const endedBy = async (station: Station) => {
      const { count, labels } = await station.metrics();
      const kinds = labels("wheelhouse_executions_ended_total", "kind");
      return kinds
        .map((kind) => count("wheelhouse_executions_ended_total", { kind, state: "done" }))
        .reduce((sum, one) => sum + one, 0);
    };

    async function endsMore(station: Station): Promise<void> {
      const before = await endedBy(station);
      await until(`${station.machine.name} works`, async () => (await endedBy(station)) > before);
    }

    test("S-126: the work is spread: each of the five ends some of it", async () => {
      for (const station of stations) await endsMore(station);
      await until("some time goes by", () => load.runs.length > 60);
      const ended = await Promise.all(stations.map(endedBy));
      say(`ended by: ${stations.map(({ machine }, index) => `${machine.name} ${ended[index]}`).join(", ")}`);
      expect(load.asked.filter(({ failure }) => failure !== null)).toEqual([]);
    });

    test.each(["service-1", "worker-1"])(
      "S-126: %s is killed: others go on with its work within 13 seconds",
      async (name) => {
        const ids = await holdsSome(name);
        await at(name).end("SIGKILL");
        const ms = await takenFrom(name, ids);
        say(`kill -9 of ${name}: all of its ${ids.length} executions were with others after ${seconds(ms)}`);
        expect(ms).toBeLessThan(takeoverMs);
        await at(name).start();
        await endsMore(at(name));
      },
    );

    test.each([
      ["service-2", "its cable is pulled", (station: Station) => station.machine.cut()],
      [
        "worker-2",
        "it loses the database, and nothing else",
        (station: Station) => station.machine.cutFrom(network.machine("store")),
      ],
    ] as const)(
      "S-127: %s lives on cut off, as %s: others go on within 13 seconds, and it does no harm when it is back",
      async (name, _, cut) => {
        const station = at(name);
        const ids = await holdsSome(name);
        cut(station);
        const ms = await takenFrom(name, ids);
        say(`${name} cut off: all of its ${ids.length} executions were with others after ${seconds(ms)}`);
        // What comes after this is about the others.
        onTestFailed(() => station.machine.join());
        expect(ms).toBeLessThan(takeoverMs);
        const rows = async () =>
          (
            await store.pool.query(
              "select id, epoch, state, finished_at, result::text from executions where id = any($1) and finished_at is not null order by id",
              [ids],
            )
          ).rows;
        await until("they are over", async () => (await rows()).length === ids.length);
        const ended = await rows();
        station.machine.join();
        await until(`${name} is back`, () => station.isReady());
        await endsMore(station);
        expect(await rows()).toEqual(ended);
      },
    );

    test("S-125: all five are restarted in turn under load, and not one request fails", async () => {
      const before = performance.now();
      await until("all clients do well, also the slow one", () =>
        load.slow.some(({ from }) => from > before),
      );
      const since = performance.now();
      expect(load.failedSince(since - 1_000)).toEqual([]);
      for (const station of stations) {
        const { name } = station.machine;
        const isService = station.kind === "start";
        const ending = station.end("SIGTERM");
        const seen = performance.now();
        if (isService) {
          await until(`HAProxy sees that ${name} stops`, async () => (await stateInProxy(name)) !== "UP");
          say(`${name}: HAProxy saw it ${seconds(performance.now() - seen)} after SIGTERM`);
        }
        const { code, ms } = await ending;
        say(`${name}: ended with ${code} after ${seconds(ms)}`);
        expect([name, code]).toEqual([name, 0]);
        expect(ms).toBeLessThan(30_000);
        await station.start();
        if (isService)
          await until(`HAProxy sees ${name} again`, async () => (await stateInProxy(name)) === "UP");
      }
      const done = load.asked.filter(({ from }) => from >= since);
      say(
        `rolling restart: ${done.length} requests in ${seconds(performance.now() - since)}, ${load.failedSince(since).length} failed`,
      );
      expect(load.failedSince(since)).toEqual([]);
      const slow = load.slow.filter(({ to }) => to >= since);
      const longest = Math.max(...slow.map(({ from, to }) => to - from));
      say(`large downloads meanwhile: ${slow.length}, the longest took ${seconds(longest)}`);
      expect(slow.length).toBeGreaterThan(3);
      expect(new Set(done.map(({ what }) => what))).toEqual(
        new Set(["start a run", "start a conversation", "poll", "list files", "download", "slow download"]),
      );
    });

    test("S-128: PostgreSQL restarts: it costs seconds, and requests hear meanwhile when to ask again", async () => {
      const since = performance.now();
      await postgres.stop();
      await until("somebody hears of it", () => load.failedSince(since).length > 3);
      await postgres.start();
      const back = performance.now();
      await until("all is well again", () => {
        const last = load.asked.slice(-40);
        return last.length === 40 && last.every(({ from, failure }) => from > back && failure === null);
      });
      const failed = load.failedSince(since);
      const statuses = [...new Set(failed.map(({ status }) => status))];
      const last = Math.max(...failed.map(({ to }) => to));
      say(
        `PostgreSQL was away for ${seconds(back - since)}; ${failed.length} requests failed, the last one ${seconds(last - back)} after its return`,
      );
      expect(
        failed.filter(
          ({ status, retryAfter, what }) =>
            what !== "slow download" && (status !== 503 || retryAfter === null),
        ),
      ).toEqual([]);
      expect(statuses).toContain(503);
      expect(last - back).toBeLessThan(takeoverMs);
      for (const station of stations) await endsMore(station);
    });

    test("I-1 S-126 S-127 S-128: nothing was lost and nothing doubled", async () => {
      await load.stop();
      const { runs, conversations, wrong } = load;
      expect(wrong).toEqual([]);
      const open = async () =>
        (
          await store.pool.query(
            "select id, kind, state, owner, attempts from executions where finished_at is null and kind in ('pipeline', 'turn')",
          )
        ).rows;
      await until("all is over", async () => (await open()).length === 0, 120_000).catch(() => undefined);
      expect(await open()).toEqual([]);
      const { rows } = await store.pool.query<{ id: string; state: string }>(
        "select id, state from executions where id = any($1)",
        [runs],
      );
      expect(rows.length).toBe(new Set(runs).size);
      expect(rows.filter(({ state }) => state !== "done")).toEqual([]);
      for (const id of conversations) {
        const answer = await load.ask("poll", "GET", `/agent_status/${id}?user_id=user_ada`);
        expect(await answer?.json()).toMatchObject({ state: "COMPLETED" });
      }
      const { rows: counts } = await store.pool.query(
        `select (select count(*)::int from executions where kind = 'pipeline' and depth = 0) as runs,
              (select count(*)::int from executions where kind = 'turn') as turns`,
      );
      expect(counts).toEqual([{ runs: new Set(runs).size, turns: new Set(conversations).size }]);
      const effects: string[] = await (
        await fetch(`http://${network.machine("outside").address}:8000/effects`)
      ).json();
      const twice = effects.length - new Set(effects).size;
      say(
        `${runs.length} runs and ${conversations.length} conversations, ${load.asked.length} requests; ${effects.length} effects outside, ${twice} of them of steps that were cut off and done again`,
      );
      expect(new Set(effects).size).toBe(runs.length - 1);
      expect(await brokenInvariants(store)).toEqual([]);
    }, 300_000);
  },
);
