import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import type { S3Credentials, S3Place } from "../service/config.ts";
import { createS3Client, usualLimits } from "../service/files/s3/client.ts";
import { freePort } from "./free-port.ts";
import { until } from "./until.ts";

/** A real object store of somebody else's, in processes of its own. */
export interface ObjectStore {
  /** A prefix in its one bucket. */
  place(changes?: Partial<S3Place>): S3Place;
  /** As though its machine died. `start` lets it come back with what it had. */
  kill(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

export interface Obtained {
  readonly name: string;
  /** Why it cannot be had here; null: it can. */
  readonly missing: string | null;
  /** Whether it looks at signatures, and not only at whose they say they are. */
  readonly checksSignatures: boolean;
  open(): Promise<ObjectStore>;
}

/** Where it listens, and how what runs there is begun. */
export interface StoreHost {
  readonly address: string;
  command(command: readonly string[]): readonly string[];
}

const thisMachine: StoreHost = { address: "127.0.0.1", command: (command) => command };

const bucket = "wheelhouse";
const root = () => process.getuid?.() === 0;

/** `s3rver`, installed from npm into a folder that stays for the next time. */
export function obtainS3rver(host: StoreHost = thisMachine): Obtained {
  const folder = join(tmpdir(), "wheelhouse-s3rver-3.7.1");
  const program = join(folder, "node_modules", "s3rver", "bin", "s3rver.js");
  if (!existsSync(program)) {
    mkdirSync(folder, { recursive: true });
    const install = ["install", "--no-audit", "--no-fund", "--prefix", folder, "s3rver@3.7.1"];
    spawnSync("npm", install, { stdio: "ignore", timeout: 120_000 });
  }
  const missing = existsSync(program) ? null : "s3rver could not be installed from npm";
  return {
    ...{ name: "s3rver", missing },
    checksSignatures: false,
    async open() {
      const data = mkdtempSync(join(tmpdir(), "wheelhouse-s3rver-data-"));
      const port = await freePort();
      const flags = ["--directory", data, "--address", host.address, "--port", String(port), "--silent"];
      // Its marks of pages are enciphered by what OpenSSL has put away since.
      const node = [process.execPath, "--openssl-legacy-provider"];
      const commands = [host.command([...node, program, ...flags, "--configure-bucket", bucket])];
      const credentials = { accessKeyId: "S3RVER", secretAccessKey: "S3RVER", sessionToken: null };
      return await openStore("s3rver", data, `${host.address}:${port}`, commands, {
        region: "us-east-1",
        credentials,
      });
    },
  };
}

/** Debian's `swift` with its S3 door: proxy, account, container and object server, on one folder. */
export function obtainSwift(): Obtained {
  const packages = ["swift-proxy", "swift-account", "swift-container", "swift-object", "memcached"];
  const isThere = () =>
    existsSync("/usr/bin/swift-object-server") && existsSync("/usr/bin/swift-proxy-server");
  if (!isThere() && root()) {
    spawnSync("apt-get", ["update"], { stdio: "ignore" });
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    spawnSync("apt-get", ["install", "-y", "--no-install-recommends", ...packages], { stdio: "ignore", env });
  }
  const missing = isThere() ? null : `swift is not there (Debian: apt-get install ${packages.join(" ")})`;
  return {
    ...{ name: "swift", missing },
    checksSignatures: true,
    async open() {
      const data = mkdtempSync(join(tmpdir(), "wheelhouse-swift-"));
      const [port, cache, ...servers] = await Promise.all(Array.from({ length: 5 }, () => freePort()));
      const kinds = ["account", "container", "object"] as const;
      const user = userInfo().username;
      mkdirSync(join(data, "node", "disk"), { recursive: true });
      const write = (name: string, text: string) => writeFileSync(join(data, name), text);
      write(
        "swift.conf",
        "[swift-hash]\nswift_hash_path_prefix = of\nswift_hash_path_suffix = tests\n[storage-policy:0]\nname = one\ndefault = yes\n",
      );
      const common = `bind_ip = 127.0.0.1\nuser = ${user}\nswift_dir = ${data}\nworkers = 0\nlog_level = ERROR\n`;
      for (const [at, kind] of kinds.entries()) {
        const own = `bind_port = ${servers[at]}\ndevices = ${join(data, "node")}\nmount_check = false\n`;
        write(
          `${kind}.conf`,
          `[DEFAULT]\n${common}${own}[pipeline:main]\npipeline = ${kind}-server\n[app:${kind}-server]\nuse = egg:swift#${kind}\n`,
        );
        const builder = join(data, `${kind}.builder`);
        const disk = [`r1z1-127.0.0.1:${servers[at]}/disk`, "1"];
        for (const step of [["create", "4", "1", "0"], ["add", ...disk], ["rebalance"]])
          spawnSync("swift-ring-builder", [builder, ...step], { stdio: "ignore" });
      }
      write("proxy.conf", proxyConfig(`${common}bind_port = ${port}\n`, cache ?? 0));
      const commands = [
        ["memcached", "-l", "127.0.0.1", "-p", String(cache), "-u", user],
        ...kinds.map((kind) => [`swift-${kind}-server`, join(data, `${kind}.conf`)]),
        ["swift-proxy-server", join(data, "proxy.conf")],
      ];
      const credentials = { accessKeyId: "test:tester", secretAccessKey: "testing", sessionToken: null };
      return await openStore("swift", data, `127.0.0.1:${port}`, commands, {
        region: "us-east-1",
        credentials,
      });
    },
  };
}

function proxyConfig(common: string, cache: number): string {
  const filters = "catch_errors gatekeeper healthcheck cache bulk s3api tempauth slo dlo";
  const eggs = filters
    .split(" ")
    .filter((name) => !["cache", "tempauth", "s3api"].includes(name))
    .map((name) => `[filter:${name}]\nuse = egg:swift#${name}\n`);
  return `[DEFAULT]
${common}[pipeline:main]
pipeline = ${filters} proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:${cache}
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = testing .admin
[filter:s3api]
use = egg:swift#s3api
s3_acl = false
${eggs.join("")}`;
}

interface Door {
  readonly region: string;
  readonly credentials: S3Credentials;
}

async function openStore(
  name: string,
  data: string,
  at: string,
  commands: readonly (readonly string[])[],
  door: Door,
): Promise<ObjectStore> {
  let running: ChildProcess[] = [];
  const endpoint = `http://${at}`;
  const place: ObjectStore["place"] = (changes) => ({
    ...{ type: "s3", bucket, prefix: "files", endpoint, addressing: "path" },
    ...door,
    ...changes,
  });
  const client = createS3Client(place(), { ...usualLimits, attempts: 1 });
  const makeBucket = () => client.ask({ method: "PUT", action: "s3:PutObject", expects: [409] });
  async function start(): Promise<void> {
    running = commands.map(([program = "", ...args]) => spawn(program, args, { stdio: "ignore", cwd: data }));
    await until(`${name} answers`, () =>
      makeBucket().then(
        () => true,
        () => false,
      ),
    );
  }
  async function kill(): Promise<void> {
    const ends = running.map((one) => new Promise((resolve) => one.once("close", resolve)));
    for (const one of running) one.kill("SIGKILL");
    await Promise.all(ends);
    running = [];
  }
  await start();
  return {
    place,
    kill,
    start,
    async stop() {
      await kill();
      rmSync(data, { recursive: true, force: true });
    },
  };
}
