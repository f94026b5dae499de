import type { Definition, NodeDefinition } from "./definition.ts";
import type { Flows } from "./find-flow.ts";

/**
 * Which nodes of a flow ask people to agree, themselves or in the flows that they start, as those are now. Their answers count
 * through the inbox alone, and for what they were asked about.
 * @returns ids
 */
export async function nodesThatAsk(
  { find }: Pick<Flows, "find">,
  nodes: Iterable<readonly [id: string, config: NodeDefinition]>,
): Promise<ReadonlySet<string>> {
  const all = [...nodes];
  const flows = new Map<string, readonly NodeDefinition[]>();
  const load = async (configs: readonly NodeDefinition[]): Promise<void> => {
    for (const id of configs.flatMap(startedBy)) {
      if (flows.has(id)) continue;
      const inner = configsOf((await find(id))?.definition);
      flows.set(id, inner);
      await load(inner);
    }
  };
  await load(all.map(([, config]) => config));
  const asking = new Set<string>();
  const asksBelow = (config: NodeDefinition) =>
    asks(config) || startedBy(config).some((id) => asking.has(id));
  // Flows may start each other in a circle.
  for (let size = -1; size !== asking.size; ) {
    size = asking.size;
    for (const [id, configs] of flows) if (configs.some(asksBelow)) asking.add(id);
  }
  return new Set(all.flatMap(([id, config]) => (asksBelow(config) ? [id] : [])));
}

const configsOf = (flow: Definition | undefined) => flow?.nodes.map(({ node }) => node) ?? [];

/** Whether it is an `approval`, or does one for each of its items. */
export const asks = (config: NodeDefinition) => doing(config).type === "approval";

const doing = (config: NodeDefinition) => (config.type === "each" ? config.do : config);

function startedBy(config: NodeDefinition): string[] {
  const done = doing(config);
  return done.type === "flow" ? [done.flow] : [];
}
