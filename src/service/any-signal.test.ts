import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { until } from "../testing/until.ts";
import { anySignal } from "./any-signal.ts";

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

it("S-321: a time limit among several signals comes also where memory is tidied up meanwhile", async () => {
  let reason: unknown = null;
  anySignal([new AbortController().signal, AbortSignal.timeout(200)]).addEventListener("abort", (event) => {
    reason = event.target instanceof AbortSignal ? event.target.reason : null;
  });
  await until(
    "the limit comes",
    () => {
      collectGarbage();
      return reason !== null;
    },
    10_000,
  );
  expect(reason).toMatchObject({ name: "TimeoutError" });
});

it("S-321: nothing else in the service combines signals", () => {
  const names = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" });
  const others = names.filter(
    (name) =>
      /(?<!test)\.ts$/.test(name) &&
      name !== "any-signal.ts" &&
      readFileSync(join(import.meta.dirname, name), "utf8").includes("AbortSignal.any"),
  );
  expect(others).toEqual([]);
});
