import { type ChildProcess, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { execForm, type Stage } from "./containerfile.ts";
import type { Machine } from "./network.ts";

/** What an image says of how it is run. */
export interface Image {
  /** Its files. */
  readonly root: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly directory: string;
  readonly user: string;
  readonly volumes: readonly string[];
  readonly entrypoint: readonly string[];
  readonly command: readonly string[];
  readonly health: readonly string[];
}

/** How a container differs from its image. */
export interface ContainerOptions {
  readonly machine: Machine;
  readonly environment: Readonly<Record<string, string>>;
  readonly command: readonly string[];
  /** Folders of this machine by where they are seen. */
  readonly mounts: Readonly<Record<string, string>>;
  readonly readOnly: boolean;
  readonly tmpfs: readonly string[];
  /** No capabilities, and none to be had. */
  readonly isBound: boolean;
}

const path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
/** Of this machine, for a root that is to reach a registry as it does. */
const registry = () => spawnSync("npm", ["config", "get", "registry"], { encoding: "utf8" }).stdout.trim();

function run(program: string, args: readonly string[], what: string): void {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: "utf8", maxBuffer: 1e8 });
  if (status !== 0)
    throw new Error(`${what} ended with ${status}:\n${stdout.slice(-2_000)}${stderr.slice(-4_000)}`);
}

/** A bare Debian 12, made by `debootstrap` into a folder that stays for the next time. @returns null where it cannot be had */
export function bareDebian(): string | null {
  const folder = join(tmpdir(), "wheelhouse-bookworm-root");
  const isThere = () =>
    existsSync(join(folder, "etc/debian_version")) && !existsSync(join(folder, "debootstrap"));
  if (isThere()) return folder;
  rmSync(folder, { recursive: true, force: true });
  if (spawnSync("debootstrap", ["--version"]).error !== undefined) {
    spawnSync("apt-get", ["update"]);
    spawnSync("apt-get", ["install", "-y", "--no-install-recommends", "debootstrap"]);
  }
  spawnSync("debootstrap", ["--variant=minbase", "bookworm", folder, "http://deb.debian.org/debian"]);
  return isThere() ? folder : null;
}

/**
 * What `node:20-bookworm-slim` is, as far as ours needs it: a bare Debian 12 with Node and npm below /usr/local. The Node is
 * this machine's.
 */
function nodeBase(bare: string, root: string): void {
  run("cp", ["-a", bare, root], "the copy of the bare Debian");
  const npm = spawnSync("npm", ["root", "--global"], { encoding: "utf8" }).stdout.trim();
  mkdirSync(join(root, "usr/local/lib/node_modules"), { recursive: true });
  run("cp", ["-aL", process.execPath, join(root, "usr/local/bin/node")], "the copy of node");
  run("cp", ["-a", join(npm, "npm"), join(root, "usr/local/lib/node_modules/npm")], "the copy of npm");
  for (const name of ["npm", "npx"])
    symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, join(root, "usr/local/bin", name));
  // An engine mounts both; here they are to be there.
  writeFileSync(join(root, "etc/hosts"), "");
  cpSync("/etc/resolv.conf", join(root, "etc/resolv.conf"), { dereference: true });
}

/** Shell that prepares the mounts of a root, in a mount namespace of its own, and goes on in it: `$0` is the root. */
const enter = (more: readonly string[]) =>
  [
    "mount --make-rprivate /",
    'mount --rbind "$0" "$0"',
    'mount -t proc proc "$0/proc"',
    'mount --rbind /dev "$0/dev"',
    ...more,
    'exec chroot "$0" "$@"',
  ].join(" && ");
const isolated = ["unshare", "--mount", "--pid", "--fork", "--kill-child"] as const;

const variables = (environment: Readonly<Record<string, string>>) =>
  Object.entries({ PATH: path, ...environment }).map(([name, value]) => `${name}=${value}`);

/** Copies what a build may see: not what .dockerignore names. */
function copyContext(from: string, sources: readonly string[], target: string): void {
  const ignored = readFileSync(join(from, ".dockerignore"), "utf8").split("\n").filter(Boolean);
  const isNamed = (name: string, pattern: string) =>
    pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
  const isSeen = (name: string) => !ignored.some((pattern) => isNamed(name, pattern));
  const names = sources.includes(".") ? readdirSync(from) : sources;
  for (const name of names.filter(isSeen)) run("cp", ["-a", join(from, name), target], `the copy of ${name}`);
}

/**
 * Carries out a Containerfile, step by step, by chroot: this machine has no engine for containers.
 * @param context the repository's root
 * @param folder for the roots of its stages
 * @throws Error naming the step that failed, or that is none of those that we know
 */
export function buildImage(stages: readonly Stage[], context: string, folder: string, bare: string): Image {
  const roots = new Map<string, string>();
  let image: Image | null = null;
  for (const [at, { base, name, steps }] of stages.entries()) {
    if (base !== "docker.io/library/node:20-bookworm-slim") throw new Error(`FROM ${base}`);
    const root = join(folder, `stage-${at}`);
    nodeBase(bare, root);
    roots.set(name, root);
    const self = {
      ...{ root, directory: "/", user: "root", volumes: [] as string[] },
      ...{ entrypoint: [] as string[], command: [] as string[], health: [] as string[] },
      environment: {} as Record<string, string>,
    };
    for (const { name: step, text } of steps) {
      const inside = (place: string) =>
        join(root, place.startsWith("/") ? place : join(self.directory, place));
      switch (step) {
        case "ENV": {
          const [key = "", value = ""] = text.split("=");
          self.environment[key] = value;
          break;
        }
        case "WORKDIR":
          self.directory = text;
          mkdirSync(join(root, text), { recursive: true });
          break;
        case "COPY": {
          const [, stage, files = ""] = /^(?:--from=(\S+)\s+)?(.+)$/.exec(text) ?? [];
          const words = files.split(/\s+/);
          const target = inside(words.pop() ?? "");
          if (stage === undefined) copyContext(context, words, target);
          else
            for (const word of words)
              run(
                "cp",
                [
                  "-aT",
                  join(roots.get(stage) ?? "", word),
                  existsSync(target) && statSync(target).isDirectory()
                    ? join(target, word.split("/").at(-1) ?? "")
                    : target,
                ],
                `COPY ${text}`,
              );
          break;
        }
        case "RUN": {
          // A registry and its certificate, as this machine reaches it.
          const network = {
            npm_config_registry: registry(),
            HOME: "/tmp",
            NODE_EXTRA_CA_CERTS: "/tmp/ca.crt",
          };
          if (existsSync("/etc/ssl/certs/ca-certificates.crt"))
            cpSync("/etc/ssl/certs/ca-certificates.crt", join(root, "tmp/ca.crt"), { dereference: true });
          const command = [
            "env",
            "-i",
            "-C",
            self.directory,
            ...variables({ ...self.environment, ...network }),
          ];
          const [program, ...args] = [...isolated, "sh", "-c", enter([]), root, ...command, "sh", "-c", text];
          run(program, args, `RUN ${text}`);
          rmSync(join(root, "tmp"), { recursive: true, force: true });
          mkdirSync(join(root, "tmp"), { mode: 0o777 });
          break;
        }
        case "USER":
          self.user = text;
          break;
        case "VOLUME":
          self.volumes.push(text);
          break;
        case "EXPOSE":
          break;
        case "STOPSIGNAL":
          if (text !== "SIGTERM") throw new Error(`STOPSIGNAL ${text}`);
          break;
        case "HEALTHCHECK":
          self.health = execForm(/ CMD (.*)$/.exec(text)?.[1] ?? "");
          break;
        case "ENTRYPOINT":
          self.entrypoint = execForm(text);
          break;
        case "CMD":
          self.command = execForm(text);
          break;
        default:
          throw new Error(`${step} ${text}`);
      }
    }
    image = self;
  }
  if (image === null) throw new Error("it has no FROM");
  return image;
}

/** A command as a container of the image runs it. */
function inContainer(image: Image, options: ContainerOptions, command: readonly string[]): string[] {
  const { environment, mounts, readOnly, tmpfs, isBound } = options;
  const more = [
    ...Object.entries(mounts).map(([place, folder]) => `mount --bind "${folder}" "$0${place}"`),
    ...tmpfs.map((place) => `mount -t tmpfs -o mode=1777 tmpfs "$0${place}"`),
    ...(readOnly ? ['mount -o remount,bind,ro "$0"'] : []),
    // What a machine of its own knows of the others.
    'mount --bind /etc/hosts "$0/etc/hosts"',
  ];
  const as = ["setpriv", `--reuid=${image.user}`, `--regid=${image.user}`, "--init-groups"];
  const bound = isBound ? ["--no-new-privs", "--bounding-set=-all", "--inh-caps=-all"] : [];
  const all = variables({ ...image.environment, ...environment });
  const entered = ["env", "-i", "-C", image.directory, ...all, ...as, ...bound, ...command];
  return [...isolated, "sh", "-c", enter(more), image.root, ...entered];
}

export interface Container {
  said(): string;
  /** What HEALTHCHECK asks. @throws Error with all that it said where it has ended */
  isHealthy(): boolean;
  /** Its exit code, once it has one. */
  readonly ended: Promise<number | null>;
  /** As `docker stop`: SIGTERM to its first process. */
  stop(): void;
}

/** Runs a container of an image on a machine of its own. */
export function startContainer(image: Image, options: ContainerOptions): Container {
  const { machine, command } = options;
  const child: ChildProcess = machine.spawn(inContainer(image, options, [...image.entrypoint, ...command]), {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (text) => (said += String(text)));
  return {
    said: () => said,
    isHealthy() {
      if (child.exitCode !== null) throw new Error(`${machine.name} ended with ${child.exitCode}:\n${said}`);
      const [program, ...args] = machine.command(inContainer(image, options, image.health));
      return spawnSync(program, args).status === 0;
    },
    ended: new Promise((resolve) => child.once("close", resolve)),
    stop() {
      const [first = ""] = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8").split(" ");
      process.kill(Number(first), "SIGTERM");
    },
  };
}

/** A new named volume: as the image has the folder, which is how its owner comes by it. */
export function newVolume(image: Image, place: string, folder: string): string {
  mkdirSync(dirname(folder), { recursive: true });
  run("cp", ["-a", join(image.root, place), folder], `the volume of ${place}`);
  return folder;
}
