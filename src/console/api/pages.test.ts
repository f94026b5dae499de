import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mergeFirstPage } from "./merge-first-page.ts";
import type { Rows } from "./paged.ts";
import { append, nextPage, refetchPages, walkPages } from "./pages.ts";

interface Row {
  readonly id: string;
  /** Newest first; never given twice. */
  readonly at: number;
}

const idOf = ({ id }: Row) => id;
const size = 4;
/** More than that between two polls is not searched for. */
const farApart = 40;

/** A service whose rows come and go, also between two of its pages. */
class Service {
  rows: readonly Row[] = [];
  /** What happens after each of the next answers. */
  next: (() => void)[] = [];
  requests = 0;
  #made = 0;

  readonly arrive = (count: number) => {
    for (let n = 0; n < count; n += 1) {
      this.#made += 1;
      this.rows = [{ id: `row_${this.#made}`, at: this.#made }, ...this.rows];
    }
  };

  readonly remove = (place: number) => {
    const at = this.rows.length === 0 ? 0 : place % this.rows.length;
    this.rows = this.rows.filter((_, index) => index !== at);
  };

  readonly read = async (cursor: string | null): Promise<Rows<Row>> => {
    this.requests += 1;
    const after = this.rows.filter(({ at }) => cursor === null || at < Number(cursor));
    const rows = after.slice(0, size);
    const last = rows.at(-1);
    this.next.shift()?.();
    return { rows, cursor: after.length > size && last ? String(last.at) : null };
  };
}

type Act =
  | { readonly act: "arrive"; readonly count: number }
  | { readonly act: "remove"; readonly place: number }
  | { readonly act: "poll" | "older"; readonly meanwhile: readonly Happening[] };
type Happening = { readonly act: "arrive" | "remove"; readonly n: number };

const happening: fc.Arbitrary<Happening> = fc.record({
  act: fc.constantFrom("arrive" as const, "remove" as const),
  n: fc.integer({ min: 1, max: 9 }),
});
const act: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ act: fc.constant("arrive" as const), count: fc.integer({ min: 1, max: 9 }) }),
  fc.record({ act: fc.constant("remove" as const), place: fc.nat(60) }),
  fc.record({
    act: fc.constantFrom("poll" as const, "older" as const),
    meanwhile: fc.array(happening, { maxLength: 3 }),
  }),
);

/** What a page shows: a first page that is polled, and what was asked for beyond it. */
class Shown {
  list: Rows<Row> = { rows: [], cursor: null };
  readonly #service: Service;
  constructor(service: Service) {
    this.#service = service;
  }

  async poll() {
    const fresh = await this.#service.read(null);
    const { list, isSure } = mergeFirstPage(this.list, fresh, idOf);
    this.list = isSure ? list : await refetchPages(this.list, fresh, this.#service.read, idOf);
  }

  async older() {
    this.list = append(this.list, await nextPage(this.list, this.#service.read, idOf), idOf);
  }
}

describe("a list that is read page by page while it changes", () => {
  it("never loses a row that is still there, and has none of them twice", async () => {
    const acts = fc.array(act, { maxLength: 25 });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 20 }), acts, async (begun, all) => {
        const service = new Service();
        const shown = new Shown(service);
        service.arrive(begun);
        await shown.poll();
        let since = 0;
        for (const one of all) {
          if (one.act === "arrive") {
            service.arrive(one.count);
            since += one.count;
          } else if (one.act === "remove") service.remove(one.place);
          else {
            const before = shown.list.rows;
            service.next = one.meanwhile.map(
              ({ act: does, n }) =>
                () =>
                  service[does](n),
            );
            await shown[one.act]();
            service.next = [];
            const ids = shown.list.rows.map(idOf);
            expect(new Set(ids).size).toBe(ids.length);
            const there = new Set(service.rows.map(idOf));
            const kept = before.map(idOf).filter((id) => there.has(id));
            if (since < farApart) expect(ids).toEqual(expect.arrayContaining(kept));
            if (one.act === "poll") since = 0;
          }
        }
        await shown.poll();
        // Nobody meddles any more: all that is shown and still there is what the service has first, in its order.
        const there = new Set(service.rows.map(idOf));
        const ids = shown.list.rows.map(idOf).filter((id) => there.has(id));
        expect(ids).toEqual(service.rows.slice(0, ids.length).map(idOf));
        const isWhole = ids.length === service.rows.length;
        if (!isWhole) expect(shown.list.cursor).not.toBeNull();
      }),
      { numRuns: 300 },
    );
  });

  it("keeps all that is held and all that is fresh, whatever the service's order", () => {
    const rows = fc.uniqueArray(fc.nat(30), { maxLength: 20 });
    const list = rows.map((ids) => ({ rows: ids.map((at) => ({ id: `row_${at}`, at })), cursor: "next" }));
    fc.assert(
      fc.property(list, list, (held, fresh) => {
        const ids = mergeFirstPage(held, fresh, idOf).list.rows.map(idOf);
        expect(new Set(ids)).toEqual(new Set([...fresh.rows, ...held.rows].map(idOf)));
        expect(new Set(ids).size).toBe(ids.length);
      }),
    );
  });

  it("goes on, each time that it is asked, behind pages in which a filter has left nothing", async () => {
    let asked = 0;
    const read = async (): Promise<Rows<Row>> => {
      asked += 1;
      return asked < 8 ? { rows: [], cursor: `c${asked}` } : { rows: [{ id: "a", at: 1 }], cursor: null };
    };
    let list: Rows<Row> = { rows: [], cursor: "c0" };
    for (const [most, rows] of [
      [3, 0],
      [6, 0],
      [8, 1],
    ] as const) {
      list = append(list, await nextPage(list, read, idOf), idOf);
      expect([asked, list.rows.length, list.cursor === null]).toEqual([most, rows, rows === 1]);
    }
  });

  it("asks a service that comes to no end only a few times", async () => {
    const empty = { rows: [], cursor: "again" };
    const endless: readonly (readonly [string, (asked: number) => Rows<Row>, number])[] = [
      ["gives the same cursor with empty pages", () => empty, 1],
      ["goes round in circles", (asked) => ({ rows: [], cursor: `c${asked % 2}` }), 3],
      ["makes up a new cursor each time", (asked) => ({ rows: [], cursor: `c${asked}` }), 3],
      ["gives the same rows again", (asked) => ({ rows: [{ id: "a", at: 1 }], cursor: `c${asked}` }), 4],
    ];
    for (const [what, answer, most] of endless) {
      let asked = 0;
      const read = async () => {
        asked += 1;
        return answer(asked);
      };
      for await (const _ of walkPages(read, idOf, { rows: [], cursor: "again" }))
        expect(asked, what).toBeLessThan(20);
      expect(asked, what).toBe(most);
    }
  });
});
