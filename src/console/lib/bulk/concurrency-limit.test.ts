import { describe, expect, it } from "vitest";
import { deferred } from "../../../testing/deferred.ts";
import { ConcurrencyLimit } from "./concurrency-limit.ts";

describe("the limit of what goes on together", () => {
  it("come in order, a few at a time, and the next begins when one fails", async () => {
    const limit = new ConcurrencyLimit(2);
    const begun: number[] = [];
    const ends = new Map<number, (error?: Error) => void>();
    const work = (number: number) =>
      limit.take(() => {
        begun.push(number);
        return new Promise<number>((resolve, reject) =>
          ends.set(number, (error) => (error ? reject(error) : resolve(number))),
        );
      });
    const results = [1, 2, 3, 4].map(work);
    const settled = Promise.allSettled(results);
    expect(begun).toEqual([1, 2]);
    ends.get(2)?.(new Error("broken"));
    await expect(results[1]).rejects.toThrow("broken");
    await expect.poll(() => begun).toEqual([1, 2, 3]);
    ends.get(1)?.();
    await expect.poll(() => begun).toEqual([1, 2, 3, 4]);
    ends.get(3)?.();
    ends.get(4)?.();
    expect((await settled).map(({ status }) => status)).toEqual([
      "fulfilled",
      "rejected",
      "fulfilled",
      "fulfilled",
    ]);
  });

  it("are left by whoever gives up waiting, and nobody behind them waits longer", async () => {
    const limit = new ConcurrencyLimit(1);
    const stop = new AbortController();
    const { promise: ended, resolve: end } = deferred();
    const first = limit.take(() => ended);
    const second = limit.take(async () => "second", stop.signal);
    const third = limit.take(async () => "third");
    stop.abort(new Error("enough"));
    await expect(second).rejects.toThrow("enough");
    end();
    await first;
    expect(await third).toBe("third");
  });
});
