import { describe, expect, it } from "vitest";
import { createLimiter, type Limiter, type LimiterOptions, shareOf } from "./limiter.ts";

/** A limiter of which all work goes on until it is ended by name; `begun` is the order in which it began. */
function held(options: LimiterOptions) {
  const limiter = createLimiter(options);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const ahead = new Map<string, () => number>();
  const ask = (name: string, share: readonly string[], signal?: AbortSignal) => {
    const onWait = (count: (() => number) | null) => void ahead.set(name, count ?? (() => 0));
    return limiter.run({ share, signal, onWait }, () => {
      begun.push(name);
      return new Promise<void>((resolve) => ends.set(name, resolve));
    });
  };
  /** Ends the oldest that runs, until nothing runs. */
  const drain = async () => {
    for (let next = [...ends][0]; next !== undefined; next = [...ends][0]) {
      ends.delete(next[0]);
      next[1]();
      await turn();
    }
  };
  const end = async (name: string) => {
    ends.get(name)?.();
    ends.delete(name);
    await turn();
  };
  return { limiter, begun, ask, end, drain, ahead: (name: string) => ahead.get(name)?.() };
}

/** What follows from what has happened has happened. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Asks for all of these, `letter` and a number each. */
function many({ ask }: ReturnType<typeof held>, letter: string, count: number, share: readonly string[]) {
  for (let number = 1; number <= count; number++) void ask(`${letter}${number}`, share);
}

describe("A limiter", () => {
  it("lets so much run at a time, in the order in which it was asked by one", async () => {
    const one = held({ places: 2 });
    many(one, "a", 5, ["a"]);
    expect(one.begun).toEqual(["a1", "a2"]);
    expect(one.limiter.waiting).toBe(3);
    await one.drain();
    expect(one.begun).toEqual(["a1", "a2", "a3", "a4", "a5"]);
    expect(one.limiter.waiting).toBe(0);
  });

  it("S-70: serves a tenant that comes last next, whatever another has waiting", async () => {
    const one = held({ places: 1 });
    many(one, "loud", 100, ["loud"]);
    many(one, "quiet", 2, ["quiet"]);
    await one.drain();
    expect(one.begun.slice(0, 4)).toEqual(["loud1", "quiet1", "loud2", "quiet2"]);
    expect(one.begun).toHaveLength(102);
  });

  it("S-70: goes round the persons of a tenant, and round the executions of a person", async () => {
    const one = held({ places: 1 });
    many(one, "x", 1, ["other"]);
    many(one, "ada", 4, shareOf({ teamId: "t", userId: "ada" }, "run_1"));
    many(one, "again", 2, shareOf({ teamId: "t", userId: "ada" }, "run_2"));
    many(one, "grace", 3, shareOf({ teamId: "t", userId: "grace" }, "run_3"));
    await one.drain();
    const expected = ["x1", "ada1", "grace1", "again1", "grace2", "ada2", "grace3", "again2", "ada3", "ada4"];
    expect(one.begun).toEqual(expected);
  });

  it("gives a free place to the tenant that holds the fewest, whenever it was served", async () => {
    const one = held({ places: 3 });
    many(one, "a", 9, ["a"]);
    many(one, "b", 2, ["b"]);
    await one.end("a1");
    expect(one.begun.at(-1)).toBe("b1");
    await one.end("a2");
    // Each holds one: a was served longer ago.
    expect(one.begun.at(-1)).toBe("a4");
    await one.end("b1");
    expect(one.begun.at(-1)).toBe("b2");
    await one.drain();
    expect(one.begun).toHaveLength(11);
  });

  it("says how many are likely to be served before one that waits", async () => {
    const one = held({ places: 1 });
    many(one, "a", 6, ["a"]);
    many(one, "b", 2, ["b"]);
    // After a1, which runs: b1, a2, b2, a3, a4, a5, a6.
    expect(one.ahead("b1")).toBe(0);
    expect(one.ahead("b2")).toBe(2);
    expect(one.ahead("a2")).toBe(1);
    expect(one.ahead("a3")).toBe(3);
    expect(one.ahead("a6")).toBe(6);
    await one.drain();
    expect(one.begun).toEqual(["a1", "b1", "a2", "b2", "a3", "a4", "a5", "a6"]);
  });

  it("lets go of one whose signal is aborted at once, and holds up nobody behind it", async () => {
    const one = held({ places: 1 });
    const unwanted = new AbortController();
    many(one, "a", 1, ["a"]);
    const waits = one.ask("unwanted", ["b"], unwanted.signal);
    many(one, "behind", 1, ["b"]);
    unwanted.abort(new Error("killed"));
    await expect(waits).rejects.toThrow("killed");
    expect(one.limiter.waiting).toBe(1);
    await one.drain();
    expect(one.begun).toEqual(["a1", "behind1"]);
    await expect(one.ask("late", ["b"], unwanted.signal)).rejects.toThrow("killed");
  });

  it("S-70: has spare places for tenants that hold none, and for nobody else", async () => {
    const one = held({ places: 2, spare: 1 });
    many(one, "loud", 5, ["loud"]);
    expect(one.begun).toEqual(["loud1", "loud2"]);
    many(one, "quiet", 2, ["quiet"]);
    many(one, "other", 1, ["other"]);
    expect(one.begun).toEqual(["loud1", "loud2", "quiet1"]);
    // It went back to those that hold none; the loud one has a place again when no more than two run.
    await one.end("loud1");
    expect(one.begun.at(-1)).toBe("other1");
    await one.end("quiet1");
    expect(one.begun.at(-1)).toBe("quiet2");
    await one.end("quiet2");
    expect(one.begun).toHaveLength(5);
    await one.end("other1");
    expect(one.begun.at(-1)).toBe("loud3");
    await one.drain();
    expect(one.begun).toHaveLength(8);
  });

  it("holds one tenant to so many places, and gives the others to those behind it", async () => {
    const one = held({ places: 2, eachTenant: 1 });
    many(one, "a", 3, ["a"]);
    many(one, "b", 2, ["b"]);
    expect(one.begun).toEqual(["a1", "b1"]);
    await one.end("b1");
    expect(one.begun.at(-1)).toBe("b2");
    await one.drain();
    expect(one.begun).toEqual(["a1", "b1", "b2", "a2", "a3"]);
  });

  it("S-95: leaves room for others beside one that wants a hundred places, until it gives them back", async () => {
    const limiter = createLimiter({ places: 4, eachTenant: 2 });
    const entered: string[] = [];
    const leaves: (() => void)[] = [];
    const want = (who: string, name: string) =>
      void limiter.enter({ share: [who] }).then((leave) => {
        entered.push(name);
        leaves.push(leave);
      });
    for (let one = 1; one <= 100; one++) want("loud", `loud ${one}`);
    want("ann", "ann");
    want("ben", "ben");
    await turn();
    expect(entered).toEqual(["loud 1", "loud 2", "ann", "ben"]);
    want("ann", "ann again");
    leaves[0]?.();
    leaves[1]?.();
    await turn();
    expect(entered.slice(4)).toEqual(["loud 3", "ann again"]);
  });

  it("gives the place back when the work fails", async () => {
    const limiter: Limiter = createLimiter({ places: 1 });
    const fails = limiter.run({ share: ["a"] }, () => Promise.reject(new Error("no")));
    const next = limiter.run({ share: ["a"] }, () => Promise.resolve("yes"));
    await expect(fails).rejects.toThrow("no");
    await expect(next).resolves.toBe("yes");
  });
});
