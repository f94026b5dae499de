import type { Kysely } from "kysely";
import { createFlows, type Flow } from "../../service/pipelines/find-flow.ts";
import { createFlowVersions } from "../../service/pipelines/flow-versions.ts";
import { toJson } from "../../service/store/json.ts";
import type { Database } from "../../service/store/schema.ts";
import { readFlowText } from "./flows.ts";
import { toolServer } from "./model.ts";

/** A flow whose runs are run again: what each of its steps says tells which run did it. */
const pair = `
id: flow_pair
name: Pair
owner: user_ada
nodes:
  first: { type: mcp_tool, server: ${toolServer}, tool: run }
  second: { type: mcp_tool, server: ${toolServer}, tool: run, after: [first] }
  out: { type: output, value: "{{ first.value }} {{ second.value }}" }
`;
const parts = (version: number) => `
id: flow_parts
name: Parts
owner: user_ada
nodes:
  one: { type: mcp_tool, server: ${toolServer}, tool: run }
  two: { type: mcp_tool, server: ${toolServer}, tool: run, arguments: { version: ${version} }, after: [one] }
  below: { type: flow, flow: flow_pair, after: [one] }
  many: { type: each, items: [0, 1], do: { type: mcp_tool, server: ${toolServer}, tool: run }, after: [two] }
  file: { type: file, name: two.txt, content: "{{ two.value }}" }
  out: { type: output, value: "{{ one.value }} {{ two.value }} {{ below.value.out }} {{ many.value | join: ' ' }}" }
`;

/** From where a run may go again; null: from where it had stopped. */
export type Place = { readonly node: string; readonly item: number | null } | null;

/** What a run does outside, by the keys of its steps: at the top, and below it. */
export const effects = { top: ["one", "two", "many/0", "many/1"], below: ["first", "second"] } as const;
export type Level = keyof typeof effects;

/** All that is recorded when it is done, and what cannot be done before which. */
const needs: Record<Level, Readonly<Record<string, readonly string[]>>> = {
  top: { one: [], two: ["one"], below: ["one"], many: ["two"], file: ["two"] },
  below: { first: [], second: ["first"] },
};

/** Its nodes that are recorded. */
export const nodesOf = (level: Level): readonly string[] => Object.keys(needs[level]);

/** Where it may go again from, by any number. */
export function placeAt(level: Level, number: number): Place {
  const places: readonly Place[] = [
    null,
    ...nodesOf(level).map((node) => ({ node, item: null })),
    ...(level === "top" ? [0, 1].map((item) => ({ node: "many", item })) : []),
  ];
  return places[number % places.length] ?? null;
}

/** Whether a step stands behind that place, or is it: it is done again whatever had been done. */
export function isBehind(level: Level, key: string, place: Place): boolean {
  if (place === null) return false;
  const [node = ""] = key.split("/");
  if (node === place.node) return place.item === null || key === node || key === `${node}/${place.item}`;
  return (needs[level][node] ?? []).some((needed) => isBehind(level, needed, place));
}

/** The flow as it is, which changes now and then. */
export interface Parts {
  readonly flow: () => Flow;
  /** What its step `two` sends outside. */
  readonly version: () => number;
  readonly change: () => Promise<void>;
}

/** Stores it, of the team. */
export async function addParts(db: Kysely<Database>): Promise<Parts> {
  const found = createFlows(db, createFlowVersions(db));
  const put = async (text: string) => {
    const { id, name, definition } = await readFlowText(text);
    const row = { id, name, user_id: "user_ada", team_id: "team_both", removed_at: null };
    await db
      .insertInto("saved_items")
      .values({ ...row, definition: toJson(definition) })
      .onConflict((conflict) => conflict.column("id").doUpdateSet({ definition: toJson(definition) }))
      .execute();
    const flow = await found.find(id);
    if (flow === null) throw new Error(`${id} is not there`);
    return flow;
  };
  await put(pair);
  let version = 1;
  let flow = await put(parts(version));
  return {
    flow: () => flow,
    version: () => version,
    async change() {
      flow = await put(parts(++version));
    },
  };
}
