import type { Again, PastRun } from "./again-plan.ts";
import { branchesOf, inputNames, type Plan, type PlannedNode } from "./plan.ts";
import { didYouMean } from "./suggest.ts";

/** Why a run does not go again like this: a sentence for people, and the field of the request that it is about. */
export interface Refusal {
  readonly message: string;
  readonly param: string;
}

/** What is wrong with a request whatever is reused. */
export function askFaults(past: PastRun, plan: Plan, again: Again): Refusal[] {
  const { from, changedInputs, output, asking } = again;
  const refusals: Refusal[] = [];
  const refuse = (param: string, message: string) => refusals.push({ message, param });
  const [fault] = plan.faults;
  if (fault) refuse("flow", `The flow has a fault at ${fault.path.join(".")}: ${fault.message}.`);
  const names = inputNames(plan);
  for (const name of changedInputs)
    if (!names.includes(name))
      refuse(`inputs.${name}`, `The flow has no input "${name}"${didYouMean(name, names)}.`);
  if (from === null) {
    if (output !== null) refuse("output", "Choose the step whose output this is.");
    return refusals;
  }
  const chosen = plan.nodes.get(from.node);
  if (!chosen) {
    refuse("from.node", `The flow has no step "${from.node}"${didYouMean(from.node, plan.nodes.keys())}.`);
    return refusals;
  }
  if (from.item !== null) {
    const size = past.listSizes.get(from.node);
    if (chosen.config.type !== "each")
      refuse("from.item", `The step "${from.node}" has no items: choose the whole step.`);
    else if (size !== undefined && from.item >= size)
      refuse(
        "from.item",
        `The list of "${from.node}" has ${size} ${size === 1 ? "item" : "items"}, counted from 0.`,
      );
    else if (!past.plan.nodes.has(from.node))
      refuse("from.item", `The step "${from.node}" is new, so it has no items yet: choose the whole step.`);
  }
  if (output !== null && asking.has(chosen.id))
    refuse(
      "output",
      `"${chosen.id}" asks people, and nobody answers in their place: let them be asked again.`,
    );
  else if (output !== null) for (const fault of outputFaults(chosen, output, from.item)) refusals.push(fault);
  return refusals;
}

/** What is wrong with an output that a person gives. */
function outputFaults(
  node: PlannedNode,
  output: Readonly<Record<string, unknown>>,
  item: number | null,
): Refusal[] {
  const { id, type, config } = node;
  const fields = item === null ? type.outputs : ["value"];
  const unknown = Object.keys(output).filter((field) => !fields.includes(field));
  const refusals = unknown.map((field) => ({
    message: `"${id}" has no field "${field}"${didYouMean(field, fields)}; it has ${fields.join(", ")}.`,
    param: `output.${field}`,
  }));
  if (!Object.hasOwn(output, "value"))
    refusals.push({ message: `Say what "${id}" gives, in the field value.`, param: "output.value" });
  else if (config.type === "condition") {
    const branches = branchesOf(node);
    if (!branches.some((branch) => branch === output.value))
      refusals.push({
        message: `"${id}" has the branches ${branches.join(", ")}: value must be one of them.`,
        param: "output.value",
      });
  }
  return refusals;
}
