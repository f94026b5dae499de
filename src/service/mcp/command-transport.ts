import { type ChildProcess, spawn } from "node:child_process";
import type { PassThrough, Readable } from "node:stream";
import { setTimeout as after } from "node:timers/promises";
import {
  deserializeMessage,
  type JSONRPCMessage,
  serializeMessage,
  type Transport,
} from "@modelcontextprotocol/client";
import { jsonExcess } from "../json.ts";
import type { HeldLine } from "../outgoing/held-lines.ts";
import { OutgoingError } from "../outgoing/outgoing-error.ts";

/** What is started, and where. */
export interface CommandStart {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly directory: string;
  /** Takes what it writes to its standard error. */
  readonly stderr: PassThrough;
}

/** Of one line, in bytes. */
const longestLine = 10 * 1024 * 1024;
/** How long a command may take to end by itself, and then once it was told to, in milliseconds. */
const endMs = 2_000;

/**
 * The way to a command by its standard input and output. The SDK's own reads whatever comes, copies a long line anew with each
 * piece of it, and keeps it until the next one has come.
 * @param line waits for room where a line is long; the command waits meanwhile
 */
export class CommandTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #start: CommandStart;
  readonly #line: HeldLine;
  #process: ChildProcess | null = null;

  constructor(start: CommandStart, line: HeldLine) {
    this.#start = start;
    this.#line = line;
  }

  // By these two the SDK knows that it speaks with a command, and not by HTTP.
  get pid(): number | null {
    return this.#process?.pid ?? null;
  }

  get stderr(): Readable {
    return this.#start.stderr;
  }

  start(): Promise<void> {
    const { command, args, env, directory, stderr } = this.#start;
    const child = spawn(command, args, { env, cwd: directory, stdio: "pipe" });
    this.#process = child;
    child.once("close", () => {
      this.#process = null;
      this.#line.end();
      this.onclose?.();
    });
    for (const stream of [child.stdin, child.stdout, child.stderr])
      stream.on("error", (error) => this.onerror?.(error));
    child.stderr.pipe(stderr);
    this.#read(child.stdout);
    return new Promise((resolve, reject) => {
      child.once("spawn", resolve);
      child.on("error", (error) => {
        reject(error);
        this.onerror?.(error);
      });
    });
  }

  send(message: JSONRPCMessage): Promise<void> {
    return new Promise((resolve, reject) => {
      const stdin = this.#process?.stdin;
      if (!stdin) return reject(new Error("The command has ended."));
      stdin.write(serializeMessage(message), (error) => (error ? reject(error) : resolve()));
    });
  }

  async close(): Promise<void> {
    const child = this.#process;
    if (child === null) return;
    const closed = new Promise((resolve) => child.once("close", resolve));
    const end = () => Promise.race([closed, after(endMs, undefined, { ref: false })]);
    // Nobody reads what it still says; left unread, it would hold up its end.
    this.#line.end();
    child.stdout?.removeAllListeners("data").resume();
    child.stdin?.end();
    await end();
    if (this.#process === null) return;
    child.kill("SIGTERM");
    await end();
    if (this.#process !== null) child.kill("SIGKILL");
  }

  #read(stdout: Readable): void {
    let pieces: Buffer[] = [];
    let held = 0;
    stdout.on("data", (piece: Buffer) => {
      let from = 0;
      for (let end = piece.indexOf(newline); end !== -1; end = piece.indexOf(newline, from)) {
        const whole = Buffer.concat([...pieces, piece.subarray(from, end)]).toString();
        pieces = [];
        held = 0;
        from = end + 1;
        this.#tell(whole);
      }
      if (from < piece.length) pieces.push(piece.subarray(from));
      held += piece.length - from;
      if (held > longestLine) {
        pieces = [];
        this.#refuse(`a line has more than ${longestLine} bytes`);
        return;
      }
      const room = this.#line.hold(held);
      if (room === null) return;
      stdout.pause();
      void room.then(() => stdout.resume());
    });
  }

  #tell(line: string): void {
    const excess = jsonExcess(line);
    if (excess !== null) {
      this.#refuse(`a line has more than ${excess}`);
      return;
    }
    try {
      this.onmessage?.(deserializeMessage(line));
    } catch (error) {
      // What a command prints beside its messages is no message.
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
  }

  /** Ends it: the rest of what it says cannot be told apart from what was too much. */
  #refuse(why: string): void {
    this.onerror?.(new OutgoingError("too_large", why));
    void this.close();
  }
}

const newline = 10;
