import type { Received } from "../../../../contract/define.ts";
import type { FlowInput } from "../../../../contract/flows.ts";
import { valueWord } from "../run-row.ts";
import type { FormInput } from "./InputsForm.tsx";
import type { Otherwise } from "./routing.ts";

/** The inputs that a service tells of a flow, as the form shows them. */
export function formInputs(
  inputs: readonly (Received<FlowInput> | null)[] | null | undefined,
): readonly FormInput[] {
  return (inputs ?? []).flatMap((input) => {
    if (!input?.name) return [];
    const type = input.data_type ?? "string";
    return [
      {
        name: input.name,
        isFile: type === "file",
        type: type === "string" ? "text" : type,
        description: input.description ?? null,
        ...otherwiseOf(input),
      },
    ];
  });
}

/** Services that do not tell whether an input is required tell nothing of its default either. */
function otherwiseOf(input: Received<FlowInput>): { otherwise?: Otherwise } {
  if (typeof input.required !== "boolean") return {};
  const { required } = input;
  return {
    otherwise: required ? { isRequired: true } : { isRequired: false, text: valueWord(input.default) },
  };
}
