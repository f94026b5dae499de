import type { Engine } from "../service/engine/engine.ts";
import type { Store } from "../service/store/store.ts";
import { ended } from "./engine.ts";
import { type Script, startOf } from "./scripted-kind.ts";

/** What to start about a subject of its own: what is foreseen of others does not count. */
export const about = (subjectId: string, id: string, script: Script) => ({
  ...startOf(id, script),
  subjectId,
});

/** From now on that engine foresees that executions about this subject end at once, and begins them before their starts. */
export async function foresee(store: Store, engine: Engine, subjectId: string): Promise<void> {
  await engine.launch(about(subjectId, `${subjectId}-before`, [{ do: "think" }]));
  await ended(store, `${subjectId}-before`);
}
