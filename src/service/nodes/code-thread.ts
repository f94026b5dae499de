import { constants, setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import {
  type Disposable,
  getQuickJS,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSWASMModule,
} from "quickjs-emscripten";
import { jsonExcess } from "../json.ts";
import { createLines, defineConsole, textOf } from "./code-console.ts";
import { type CodeEnd, type CodeMessage, type CodeRequest, noJson } from "./code-runner.ts";
import { ownThread, waitedMs } from "./thread-time.ts";

/** The thread of the code runner: one sandbox for each request, thrown away afterwards. */

const memoryLimit = 64 * 1024 * 1024;
const stackLimit = 512 * 1024;
const maxValueLength = 10_000_000;

/** Only where each thread has a priority of its own has it a number, too. */
const thread = ownThread();
if (thread !== null) setPriority(thread, constants.priority.PRIORITY_LOW);

const send = (message: CodeMessage) => parentPort?.postMessage(message);

function runCode(quickjs: QuickJSWASMModule, { source, inputs, limitMs }: CodeRequest): CodeEnd {
  const runtime = quickjs.newRuntime();
  runtime.setMemoryLimit(memoryLimit);
  runtime.setMaxStackSize(stackLimit);
  const [began, waited] = [performance.now(), waitedMs(thread)];
  let overran = false;
  runtime.setInterruptHandler(() => {
    const took = performance.now() - began;
    overran = took > limitMs && took - (waitedMs(thread) - waited) > limitMs;
    return overran;
  });
  const context = runtime.newContext();
  const lines = createLines((text) => send({ type: "line", text }));
  const console = defineConsole(context, lines, () => overran);
  const come = (): CodeEnd => {
    context.newString(inputs).consume((handle) => context.setProp(context.global, "__inputs", handle));
    // Read and written by functions that the source cannot put others in the place of. The line break keeps a comment in
    // its last line from swallowing the rest.
    const program = `"use strict"; (() => { const { parse: __parse, stringify: __stringify } = JSON;
const inputs = __parse(globalThis.__inputs); delete globalThis.__inputs;
const result = ((inputs) => { ${source}
})(inputs); return __stringify(result === undefined ? null : result) ?? "null"; })()`;
    const result = context.evalCode(program, "code.js");
    if (result.error)
      return {
        type: "error",
        broken: false,
        overran,
        message: failure(context, result.error, overran, limitMs),
      };
    const json = result.value.consume((handle) => textOf(context, handle));
    if (json === null) return { type: "error", broken: false, message: noJson };
    if (json.length > maxValueLength)
      return { type: "error", broken: false, message: "the code returned more than 10 MB" };
    const excess = jsonExcess(json);
    if (excess !== null)
      return { type: "error", broken: false, message: `the code returned more than ${excess}` };
    return { type: "value", json, broken: false };
  };
  let end: CodeEnd;
  try {
    end = come();
  } finally {
    lines.end();
  }
  return areDisposed([console, context, runtime]) ? end : { ...end, broken: true };
}

/** Whether a sandbox goes as it should: after too much memory or depth it may not, whatever the code came to. */
function areDisposed(parts: readonly Disposable[]): boolean {
  try {
    for (const part of parts) part.dispose();
    return true;
  } catch {
    return false;
  }
}

function failure(context: QuickJSContext, handle: QuickJSHandle, overran: boolean, limitMs: number): string {
  if (overran) {
    handle.dispose();
    return `the code ran longer than ${limitMs / 1_000} s`;
  }
  try {
    return described(handle.consume((thrown) => context.dump(thrown))).slice(0, 1_000);
  } catch {
    return "the code threw something that cannot be shown";
  }
}

function described(error: unknown): string {
  if (typeof error === "object" && error !== null && "message" in error) {
    if (error.message === "out of memory") return "the code used more than 64 MB of memory";
    if (error.message === "stack overflow") return "the code has calls or values too deep within each other";
    return `${"name" in error ? `${error.name}: ` : ""}${error.message}`;
  }
  // Where memory is used up there is no room left for an error object.
  if (error === null) return "the code threw null, or used more than 64 MB of memory";
  const plain = typeof error === "string" || typeof error === "object";
  return `the code threw ${plain ? JSON.stringify(error) : String(error)}`;
}

const quickjs = await getQuickJS();
parentPort?.on("message", (request: CodeRequest) => send(safely(request)));
send({ type: "ready", thread });

function safely(request: CodeRequest): CodeEnd {
  try {
    return runCode(quickjs, request);
  } catch (error) {
    // What ran out of memory or overran its stack may fail inside the sandbox's own checks.
    const message = error instanceof Error ? error.message : String(error);
    return {
      type: "error",
      broken: true,
      message: `the code was stopped: ${message.split("\n")[0]}`.slice(0, 500),
    };
  }
}
