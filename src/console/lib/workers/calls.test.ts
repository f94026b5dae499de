import { describe, expect, it } from "vitest";
import { testClock } from "../../../testing/test-clock.ts";
import { workerEnd } from "../../../testing/worker-end.ts";
import { ConsoleError } from "../../api/errors.ts";
import { CallError, callWorker, type WorkerEnd } from "./calls.ts";
import type { Work } from "./serve.ts";

const methods = () => {
  let aborted = 0;
  return {
    sum: ({ a, b }: { a: number; b: number }) => a + b,
    count(to: number, { tell }: Work<number>): string {
      for (let at = 1; at <= to; at += 1) tell(at);
      return "counted";
    },
    bytes(length: number, { transfer }: Work): Uint8Array<ArrayBuffer> {
      const bytes = new Uint8Array(length).fill(7);
      transfer.push(bytes.buffer);
      return bytes;
    },
    refuse(how: "kind" | "range" | "failure"): never {
      if (how === "range") throw new RangeError("Too long");
      if (how === "kind") throw Object.assign(new Error("Locked"), { kind: "protected" });
      throw new ConsoleError({ kind: "timeout", afterMs: 5 }, "getRun");
    },
    never: (_: null, { signal }: Work): Promise<never> =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          aborted += 1;
          reject(signal.reason);
        });
      }),
    aborted: (_: null) => aborted,
  };
};

const start = () => callWorker<ReturnType<typeof methods>>(() => workerEnd(methods()));

describe("a call", () => {
  it("is answered, and may be told of things before", async () => {
    const { call } = start();
    const told: number[] = [];
    expect(await call("sum", { a: 1, b: 2 })).toBe(3);
    expect(await call("count", 3, { onTold: (at) => told.push(at) })).toBe("counted");
    expect(told).toEqual([1, 2, 3]);
    expect((await call("bytes", 2))[1]).toBe(7);
  });

  it("hands over what it is given and does not copy it", async () => {
    const seen: unknown[] = [];
    const taking = { take: (bytes: ArrayBuffer) => seen.push(bytes.byteLength) };
    const { call } = callWorker<typeof taking>(() => workerEnd(taking));
    const bytes = new ArrayBuffer(8);
    await call("take", bytes, { transfer: [bytes] });
    expect([seen, bytes.byteLength]).toEqual([[8], 0]);
  });

  it("fails with the kind of the worker's error, or with the failure of the service", async () => {
    const { call } = start();
    await expect(call("refuse", "kind")).rejects.toMatchObject({ kind: "protected" });
    await expect(call("refuse", "range")).rejects.toMatchObject({ kind: "RangeError" });
    const error = await call("refuse", "failure").catch((one: unknown) => one);
    expect(error).toBeInstanceOf(ConsoleError);
    expect(error).toMatchObject({ failure: { kind: "timeout", afterMs: 5 }, endpoint: "getRun" });
  });

  it("is stopped in the worker too when nobody waits any more", async () => {
    const { call } = start();
    const stop = new AbortController();
    const asked = call("never", null, { signal: stop.signal });
    stop.abort(new Error("enough"));
    await expect(asked).rejects.toThrow("enough");
    expect(await call("aborted", null)).toBe(1);
    await expect(call("sum", { a: 1, b: 1 }, { signal: stop.signal })).rejects.toThrow("enough");
  });

  it("of a worker that was closed is refused, as is what waited for it", async () => {
    const { call, close } = start();
    const waiting = call("never", null);
    close();
    await expect(waiting).rejects.toBeInstanceOf(CallError);
    await expect(call("sum", { a: 1, b: 1 })).rejects.toMatchObject({ kind: "closed" });
  });
});

describe("a worker that says nothing", () => {
  it("is ended; what can be repeated is asked of a new one, and nothing else", async () => {
    const clock = testClock();
    let started = 0;
    const spawn = (): WorkerEnd => {
      started += 1;
      const end = workerEnd(methods());
      // The first one hears nothing.
      return started > 1 ? end : { ...end, postMessage: () => {} };
    };
    const { call } = callWorker<ReturnType<typeof methods>>(spawn, { clock });
    const caught = call("never", null, { silenceMs: 50 }).catch(({ kind }: CallError) => kind);
    const beside = call("sum", { a: 1, b: 1 }).catch(({ kind }: CallError) => kind);
    const again = call("sum", { a: 2, b: 2 }, { canRepeat: true });
    await clock.pass(49);
    expect(started).toBe(1);
    await clock.pass(1);
    expect([await caught, await beside, await again, started]).toEqual(["silent", "silent", 4, 2]);
  });
});
