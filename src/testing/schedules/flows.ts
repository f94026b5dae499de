import type { Kysely } from "kysely";
import { createFlows, type Flow } from "../../service/pipelines/find-flow.ts";
import { createFlowVersions } from "../../service/pipelines/flow-versions.ts";
import { toJson } from "../../service/store/json.ts";
import type { Database } from "../../service/store/schema.ts";
import type { Problem } from "../../service/workspace/problem.ts";
import { readFlow } from "../../service/workspace/read-flow.ts";
import { readYaml } from "../../service/workspace/yaml-file.ts";

/** A flow that asks people in a sub-flow and for two items at once, and meanwhile talks to the agent. */
const texts = [
  `
id: flow_asks
name: Asks
owner: user_ada
nodes:
  before: { type: delay, seconds: 0.01 }
  ask: { type: approval, question: "Go?", after: [before] }
  out: { type: output, value: "{{ ask.outcome }}", after: [ask], join: any }
`,
  `
id: flow_all
name: All
owner: user_ada
nodes:
  message: { type: input }
  below: { type: flow, flow: flow_asks }
  talk: { type: agent, agent: agent, message: "{{ message.value }}" }
  many: { type: each, items: [1, 2], do: { type: approval, question: "And {{ item }}?" } }
  out: { type: output, value: "{{ below.value.out }} {{ many.value | map: 'outcome' | join: ' ' }} {{ talk.value }}" }
`,
];

/** Those flows: the one that only asks, and the one that starts everything else. */
export interface Flows {
  readonly asks: Flow;
  readonly all: Flow;
}

/** @throws where it is none */
export async function readFlowText(text: string) {
  const problems: Problem[] = [];
  const flow = await readFlow(readYaml("flow.yaml", text), problems);
  if (!flow || problems.length > 0) throw new Error(problems.map(({ message }) => message).join("; "));
  return flow;
}

/** Stores them, of `user_ada`. */
export async function addFlows(db: Kysely<Database>): Promise<Flows> {
  for (const text of texts) {
    const flow = await readFlowText(text);
    const row = { id: flow.id, name: flow.name, user_id: "user_ada", team_id: null, removed_at: null };
    await db
      .insertInto("saved_items")
      .values({ ...row, definition: toJson(flow.definition) })
      .execute();
  }
  const flows = createFlows(db, createFlowVersions(db));
  const [asks, all] = [await flows.find("flow_asks"), await flows.find("flow_all")];
  if (asks === null || all === null) throw new Error("a flow is not there");
  return { asks, all };
}
