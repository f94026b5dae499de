import "./jitless.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { endpoints } from "../../contract/endpoints.ts";
import { listRuns } from "../../contract/runs.ts";
import { aRunSummary } from "../../testing/builders.ts";
import { pathText, receive } from "./receive.ts";

const rows = z.object({
  rows: z.array(
    z.object({ id: z.string(), size: z.nullable(z.number()), tags: z.record(z.string(), z.number()) }),
  ),
  next: z.nullable(z.string()),
});
const row = (part: object = {}) => ({ id: "a", size: 1, tags: { x: 1 }, ...part });

describe("what comes in", () => {
  it("is the same object when nothing is wrong with it", () => {
    const json = { rows: [row()], next: null, unknown_field: 1 };
    const { data, damage } = receive(rows, json);
    expect(data).toBe(json);
    expect(damage).toEqual([]);
  });

  it("C-01: loses only the field that has another type, and says where", () => {
    const json = { rows: [row(), row({ id: "b", size: "huge" })], next: null };
    const { data, damage } = receive(rows, json);
    expect(data).toEqual({ rows: [row(), { id: "b", tags: { x: 1 } }], next: null });
    expect(damage).toEqual([{ path: ["rows", 1, "size"], kind: "value", preview: '"huge"' }]);
    expect(pathText(["rows", 1, "size"])).toBe("rows[1].size");
    expect(json.rows[1]?.size).toBe("huge");
  });

  it("C-01: lives with missing and null fields without calling them damage", () => {
    const json = { rows: [{ size: null }, { id: null, tags: null }] };
    expect(receive(rows, json)).toEqual({ data: json, damage: [] });
  });

  it("C-01: drops entries of a list that are no entries, and keeps paths right", () => {
    const json = { rows: [null, row(), "rubbish", row({ id: 5 })], next: null };
    const { data, damage } = receive(rows, json);
    expect(data).toEqual({ rows: [row(), { size: 1, tags: { x: 1 } }], next: null });
    expect(damage.map(({ path, kind }) => [pathText(path), kind])).toEqual([
      ["rows[0]", "item"],
      ["rows[2]", "item"],
      ["rows[1].id", "value"],
    ]);
  });

  it("C-01: has nothing usable where the whole has another type", () => {
    for (const json of [null, [], "text", 5, true]) {
      expect(receive(rows, json).data, JSON.stringify(json)).toBeUndefined();
    }
  });

  it("C-02: keeps a word that it does not know, but not an object where a word belongs", () => {
    const schema = z.object({ kind: z.enum(["a", "b"]), other: z.enum(["a"]) });
    const { data, damage } = receive(schema, { kind: "c", other: { deep: 1 } });
    expect(data).toEqual({ kind: "c" });
    expect(damage.map(({ path }) => pathText(path))).toEqual(["other"]);
  });

  it("C-02: keeps a kind of part that it does not know", () => {
    const schema = z.array(
      z.discriminatedUnion("type", [
        z.object({ type: z.literal("text"), text: z.string() }),
        z.object({ type: z.literal("file"), name: z.string() }),
      ]),
    );
    const json = [
      { type: "hologram", beam: 1 },
      { type: "text", text: 7, id: "p" },
    ];
    const { data, damage } = receive(schema, json);
    expect(data).toEqual([json[0], { type: "text", id: "p" }]);
    expect(damage.map(({ path }) => pathText(path))).toEqual(["[1].text"]);
  });

  it("C-03: treats a key named __proto__ as plain data", () => {
    const json: unknown = JSON.parse(
      '{"rows":[{"id":"a","__proto__":{"polluted":1},"size":"x","tags":{"__proto__":"y"}}],"next":null}',
    );
    const { data } = receive(rows, json);
    expect(data?.rows?.[0]?.id).toBe("a");
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
    expect(Object.getPrototypeOf(data?.rows?.[0])).toBe(Object.prototype);
  });

  it("never throws, whatever an endpoint is answered with", () => {
    for (const endpoint of Object.values(endpoints)) {
      const shape = endpoint.response;
      if (typeof shape === "string") continue;
      fc.assert(
        fc.property(fc.jsonValue(), (json) => {
          receive(shape, json);
        }),
        { numRuns: 40 },
      );
    }
  });

  it("never loses a healthy sibling of what is broken", () => {
    const fields = [
      "run_id",
      "saved_item_name",
      "state",
      "created_ts",
      "log_lines",
      "inputs",
      "error",
    ] as const;
    const rubbish = fc.oneof(fc.constant([1]), fc.constant({ a: 1 }), fc.constant(false), fc.double());
    fc.assert(
      fc.property(
        fc.array(fc.record({ field: fc.constantFrom(...fields), value: rubbish }), {
          minLength: 1,
          maxLength: 30,
        }),
        (faults) => {
          const healthy = aRunSummary();
          const json = {
            runs: faults.map(({ field, value }) => ({ ...healthy, [field]: value })),
            next_cursor: null,
          };
          const { data, damage } = receive(listRuns.response, json);
          data?.runs?.forEach((one, i) => {
            const fault = faults[i];
            for (const [name, value] of Object.entries(healthy)) {
              if (name !== fault?.field) expect(one).toHaveProperty([name], value);
            }
          });
          expect(data?.runs).toHaveLength(faults.length);
          // Whatever was left can be read as the contract says.
          const again = receive(listRuns.response, data);
          expect(again.damage).toEqual([]);
          return damage.length <= faults.length;
        },
      ),
    );
  });

  it("reads each row as often whether there are few or many, also when each has a fault", () => {
    /** @returns an answer in which every row is broken, and how often its rows and their fields were read so far */
    const broken = (count: number) => {
      let reads = 0;
      const counted = <T extends object>(what: T): T =>
        new Proxy(what, {
          get(target, name) {
            reads += 1;
            return Reflect.get(target, name);
          },
        });
      const runs = Array.from({ length: count }, (_, i) =>
        counted({ ...aRunSummary({ run_id: `r${i}` }), log_lines: "many" }),
      );
      return { json: { runs: counted(runs), next_cursor: null }, reads: () => reads };
    };
    const [few, many] = [broken(50), broken(400)];
    expect(receive(listRuns.response, few.json).damage).toHaveLength(50);
    expect(receive(listRuns.response, many.json).damage).toHaveLength(400);
    expect(few.reads()).toBeGreaterThan(50);
    expect(many.reads()).toBeLessThan(8.5 * few.reads());
  });
});
