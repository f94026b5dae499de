import type { Execution } from "../engine/kind.ts";
import { type JsonObject, textOf } from "../json.ts";
import type { Store } from "../store/store.ts";
import type { PastRun } from "./again-plan.ts";
import type { FlowVersions } from "./flow-versions.ts";
import { listRunFiles } from "./run-files.ts";
import { type RunNodes, readRunNodes } from "./run-nodes.ts";

/** Reads what a run that has ended knows of its nodes. @returns null where this release cannot read its flow */
export async function readPastRun(
  store: Store,
  versions: FlowVersions,
  run: Execution,
): Promise<PastRun | null> {
  const nodes = await readRunNodes(store, versions, run);
  if (nodes === null) return null;
  const { plan } = nodes.source;
  const known = new Map<string, JsonObject | null>();
  const listSizes = new Map<string, number>();
  for (const { node, state, isRecorded } of nodes.states) {
    if (node.config.type === "each") {
      const fields = await nodes.values.fields(node);
      if (fields.known && Array.isArray(fields.value.items))
        listSizes.set(node.id, fields.value.items.length);
    }
    if (isRecorded || !["done", "skipped", "unknown"].includes(state)) continue;
    const output = await nodes.values.output(node.id);
    if (output.known) known.set(node.id, output.value);
    // Whatever reaches outside is recorded when it has ended: it was passed over.
    else if (!node.type.isRepeatable) known.set(node.id, null);
  }
  const rows = await store.db
    .selectFrom("steps")
    .select("key")
    .where("execution_id", "=", run.id)
    .where("state", "=", "done")
    .execute();
  return {
    ...{ plan, known, listSizes, lostFiles: await readLostFiles(store, run, nodes) },
    progress: new Map(nodes.states.map(({ node, state }) => [node.id, state])),
    recorded: rows.map(({ key }) => key),
  };
}

/** A node whose output was given by hand has no size, and has written none; one may have replaced that of another. */
async function readLostFiles({ db }: Store, { id }: Execution, { states, values }: RunNodes) {
  const lost = new Set<string>();
  const written = states.filter(({ node, state }) => node.type.writesFile && state === "done");
  if (written.length === 0) return lost;
  const names = new Set((await listRunFiles(db, id)).map(({ name }) => name));
  for (const { node } of written) {
    const output = await values.output(node.id);
    if (!output.known || typeof output.value?.size !== "number") continue;
    if (!names.has(textOf(output.value.value ?? null))) lost.add(node.id);
  }
  return lost;
}
