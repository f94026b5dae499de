import { parentPort } from "node:worker_threads";
import {
  getQuickJS,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSWASMModule,
} from "quickjs-emscripten";
import type { CodeMessage, CodeRequest } from "./code-runner.ts";

/** The thread of the code runner: one sandbox for each request, thrown away afterwards. */

const memoryLimit = 64 * 1024 * 1024;
const stackLimit = 512 * 1024;
const mostLines = 10_000;
const longestLine = 8_000;
const largestValue = 10_000_000;

const send = (message: CodeMessage) => parentPort?.postMessage(message);

function runCode(quickjs: QuickJSWASMModule, { source, inputs, limitMs }: CodeRequest): CodeMessage {
  const runtime = quickjs.newRuntime();
  runtime.setMemoryLimit(memoryLimit);
  runtime.setMaxStackSize(stackLimit);
  const deadline = Date.now() + limitMs;
  let overran = false;
  runtime.setInterruptHandler(() => {
    overran = Date.now() > deadline;
    return overran;
  });
  const context = runtime.newContext();
  try {
    defineConsole(context);
    context.newString(inputs).consume((handle) => context.setProp(context.global, "__inputs", handle));
    // The line break keeps a comment in the last line of the source from swallowing the rest.
    const program = `"use strict"; (() => { const inputs = JSON.parse(globalThis.__inputs); delete globalThis.__inputs;
const result = ((inputs) => { ${source}
})(inputs); return JSON.stringify(result === undefined ? null : result) ?? "null"; })()`;
    const result = context.evalCode(program, "code.js");
    if (result.error)
      return { type: "error", broken: false, message: failure(context, result.error, overran, limitMs) };
    const json = result.value.consume((handle) => context.getString(handle));
    if (json.length > largestValue)
      return { type: "error", broken: false, message: "the code returned more than 10 MB" };
    return { type: "value", json };
  } finally {
    context.dispose();
    runtime.dispose();
  }
}

function failure(context: QuickJSContext, handle: QuickJSHandle, overran: boolean, limitMs: number): string {
  const error: unknown = handle.consume((value) => context.dump(value));
  if (overran) return `the code ran longer than ${limitMs / 1_000} s`;
  if (typeof error === "object" && error !== null && "message" in error) {
    const name = "name" in error ? `${error.name}: ` : "";
    if (error.message === "out of memory") return "the code used more than 64 MB of memory";
    return `${name}${error.message}`.slice(0, 1_000);
  }
  // Where memory is used up there is no room left for an error object.
  if (error === null) return "the code threw null, or used more than 64 MB of memory";
  return `the code threw ${JSON.stringify(error)}`.slice(0, 1_000);
}

/** `console.log` and its siblings, all into the log; values other than text as JSON. */
function defineConsole(context: QuickJSContext): void {
  let lines = 0;
  const console = context.newObject();
  for (const name of ["log", "info", "warn", "error", "debug"]) {
    const write = context.newFunction(name, (...values) => {
      lines++;
      if (lines > mostLines) return;
      if (lines === mostLines) return send({ type: "line", text: "further lines are left out" });
      const parts = values.map((value) => {
        const dumped: unknown = context.dump(value);
        return typeof dumped === "string" ? dumped : (JSON.stringify(dumped) ?? "undefined");
      });
      send({ type: "line", text: parts.join(" ").slice(0, longestLine) });
    });
    write.consume((handle) => context.setProp(console, name, handle));
  }
  console.consume((handle) => context.setProp(context.global, "console", handle));
}

const quickjs = await getQuickJS();
parentPort?.on("message", (request: CodeRequest) => send(safely(request)));

function safely(request: CodeRequest): CodeMessage {
  try {
    return runCode(quickjs, request);
  } catch (error) {
    // Disposing of a runtime that ran out of memory fails inside the sandbox's own checks.
    const message = error instanceof Error ? error.message : String(error);
    return {
      type: "error",
      broken: true,
      message: `the code was stopped: ${message.split("\n")[0]}`.slice(0, 500),
    };
  }
}
