import { type Of, tenantAt } from "./actions.ts";
import type { KillAsked } from "./history.ts";
import type { World } from "./world.ts";

/** One run, flow or conversation is stopped, perhaps twice at once. */
export async function kill(world: World, { at, which, twice }: Of<"kill">): Promise<void> {
  const { runs, flows, parts, conversations } = world.history;
  const all = [...runs, ...flows, ...parts, ...conversations];
  const target = all[which % Math.max(1, all.length)];
  if (target === undefined) return;
  const { db } = world.database.fresh.store;
  const turn = await db
    .selectFrom("interactions")
    .select("execution_id")
    .where("id", "=", target.id)
    .executeTakeFirst();
  const id = turn?.execution_id ?? target.id;
  for (let index = 0; index < (twice ? 2 : 1); index++) askKill(world, at + index, id);
}

/** All of a person or a team are stopped, as whoever selects them in the list does: each is asked for by itself. */
export async function killMany(world: World, { at, who }: Of<"kill many">): Promise<void> {
  const { runs, flows, parts } = world.history;
  const isTheirs = (one: number) => tenantAt(one).teamId === tenantAt(who).teamId;
  const ids = [...runs, ...flows, ...parts].filter((one) => isTheirs(one.who)).map(({ id }) => id);
  for (const [index, id] of ids.entries()) askKill(world, at + index, id);
}

function askKill(world: World, at: number, id: string): void {
  const process = world.processAt(at);
  const asked: KillAsked = { id, told: "unknown" };
  world.history.kills.push(asked);
  const work = world.ask(process, async () =>
    (await process.engine.kill(id, "The turn was stopped.")).killed ? ("killed" as const) : ("over" as const),
  );
  world.background(
    work.then((told) => {
      asked.told = told;
    }),
  );
}
