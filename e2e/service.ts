import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { freePort } from "../src/testing/free-port.ts";

const root = resolve(import.meta.dirname, "..");

/** Keys of the sample workspace's people and team, given to the service by its environment. */
export const keys = {
  ada: "wh_e2e_key_of_ada_0123456789abcdef",
  grace: "wh_e2e_key_of_grace_0123456789abcdef",
  harbor: "wh_e2e_key_of_harbor_0123456789abcdef",
} as const;

/** An empty data directory that PostgreSQL's own user may enter, so that nothing of a test lands elsewhere. */
function freshDataDirectory(): string {
  const folder = mkdtempSync(join(tmpdir(), "wheelhouse-e2e-"));
  chmodSync(folder, 0o755);
  return folder;
}

export interface StartOptions {
  readonly data?: string;
  readonly port?: number;
  readonly flags?: readonly string[];
  readonly environment?: Record<string, string>;
  /** An open file for the log, where a test asks so much that reading the log would be work of its own. */
  readonly log?: number;
  /** Runs it as this user, where the test's own user may (root). */
  readonly as?: { readonly uid: number; readonly gid: number };
}

type Settled = StartOptions & { readonly data: string; readonly port: number };

/** A command of the built package in a process of its own. */
function run(args: readonly string[], options: StartOptions): ChildProcess {
  return spawn(process.execPath, [join(root, "dist/service/main.js"), ...args], {
    cwd: root,
    stdio: ["ignore", "pipe", options.log ?? "pipe"],
    ...options.as,
    env: {
      ...process.env,
      WHEELHOUSE_ADA_KEY: keys.ada,
      WHEELHOUSE_GRACE_KEY: keys.grace,
      WHEELHOUSE_HARBOR_KEY: keys.harbor,
      ...options.environment,
    },
  });
}

/** The real service as its own process, on a data directory of its own, as `npm start` runs it. */
export class Service {
  readonly url: string;
  readonly data: string;
  /** What it printed since its last start, for people and the log. */
  output = "";
  private readonly options: Settled;
  private process: ChildProcess;

  private constructor(options: Settled) {
    this.options = options;
    this.url = `http://localhost:${options.port}`;
    this.data = options.data;
    this.process = this.open();
  }

  private open(): ChildProcess {
    const { port, data, flags = [] } = this.options;
    const child = run(["start", "--port", String(port), "--data", data, ...flags], this.options);
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (text) => (this.output += String(text)));
    return child;
  }

  /** Of its process, while it runs. */
  get pid(): number {
    return this.process.pid ?? 0;
  }

  /** Starts it and returns at once; `ready` waits. */
  static async spawn(options: StartOptions = {}): Promise<Service> {
    const port = options.port ?? (await freePort());
    const data = options.data ?? freshDataDirectory();
    return new Service({ ...options, port, data });
  }

  static async start(options: StartOptions = {}): Promise<Service> {
    const service = await Service.spawn(options);
    await service.ready();
    return service;
  }

  /**
   * Resolves when `/readyz` says so and the sign-in link is printed, which comes after it; fails with the output when the
   * process ends or two minutes pass.
   */
  async ready(): Promise<void> {
    const deadline = Date.now() + 120_000;
    while (Date.now() < deadline) {
      const end = this.process.exitCode ?? this.process.signalCode;
      if (end !== null) throw new Error(`The service ended with ${end}:\n${this.output}`);
      const answer = await fetch(`${this.url}/readyz`).catch(() => null);
      if (answer?.status === 200 && this.printedLink() !== undefined) return;
      await new Promise((wake) => setTimeout(wake, 20));
    }
    throw new Error(`The service was not ready in two minutes:\n${this.output}`);
  }

  /** Once its line is whole: what a process prints comes in pieces. */
  private printedLink(): string | undefined {
    return /https?:\/\/\S+#sign-in=\S+(?=\n)/.exec(this.output)?.[0];
  }

  /** The one-time sign-in link that the start printed. */
  signInLink(): string {
    const link = this.printedLink();
    if (link === undefined) throw new Error(`No sign-in link in:\n${this.output}`);
    return link;
  }

  /** A new sign-in link, as a second `npm start` beside this one prints it. */
  async freshSignInLink(): Promise<string> {
    const second = new Service(this.options);
    await second.ended();
    return second.signInLink();
  }

  /** `wheelhouse keys …` beside the running service. @returns what it printed */
  async keys(...args: readonly string[]): Promise<string> {
    return await this.command("keys", ...args);
  }

  /** A command beside the running service. @returns what it printed; what it complained of, if it printed nothing */
  async command(...args: readonly string[]): Promise<string> {
    const child = run([...args, "--data", this.data], this.options);
    let printed = "";
    let complained = "";
    child.stdout?.on("data", (text) => (printed += String(text)));
    child.stderr?.on("data", (text) => (complained += String(text)));
    await once(child, "close");
    return printed.trim() || complained.trim();
  }

  /** One request to the interface, with Ada's personal key unless another is given. */
  async request(method: string, path: string, body?: unknown, key: string = keys.ada): Promise<Response> {
    return fetch(`${this.url}/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  /** Resolves with the exit code, or the signal's name. */
  async ended(): Promise<number | string> {
    if (this.process.exitCode !== null) return this.process.exitCode;
    if (this.process.signalCode !== null) return this.process.signalCode;
    const [code, signal] = await once(this.process, "close");
    return code ?? signal;
  }

  /** Stands still, as on a machine that sleeps, until `resume`. */
  suspend(): void {
    this.process.kill("SIGSTOP");
  }

  resume(): void {
    this.process.kill("SIGCONT");
  }

  async signal(name: NodeJS.Signals): Promise<number | string> {
    if (this.process.exitCode === null && this.process.signalCode === null) this.process.kill(name);
    return this.ended();
  }

  /** Ends it at once, as a crash does: nothing is said goodbye to. */
  async crash(): Promise<void> {
    await this.signal("SIGKILL");
  }

  /** Starts it again on the same address and data, after `crash` or `signal`. */
  async startAgain(): Promise<void> {
    this.output = "";
    this.process = this.open();
    await this.ready();
  }

  /** Ends it in order and removes its data. */
  async stop(): Promise<void> {
    await this.signal("SIGTERM");
    this.removeData();
  }

  /** Once nobody uses them any more: several processes may have the same. The database may still write its last lines. */
  removeData(): void {
    rmSync(this.data, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}
