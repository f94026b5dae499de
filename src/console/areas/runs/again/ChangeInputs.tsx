import { useQuery } from "@tanstack/react-query";
import { useApi, useCan } from "../../../lib/api.tsx";
import { plainLinkClass } from "../../../ui/textClass.ts";
import { runQueries } from "../queries.ts";
import { type FormInput, formInputs, InputsForm } from "../start/InputsForm.tsx";
import { changedInputs, fieldText } from "./again-ask.ts";
import type { AgainRefusal } from "./useAgainAsk.ts";

type Props = {
  flowId: string | null;
  /** The inputs of the other run. */
  given: Readonly<Record<string, unknown>>;
  /** What is typed over them. */
  typed: Readonly<Record<string, string>>;
  refusals: readonly AgainRefusal[];
  /** Undefined: as it was. */
  onChange: (name: string, text: string | undefined) => void;
};

/** The inputs of the other run, each of which can be changed. */
export function ChangeInputs({ flowId, given, typed, refusals, onChange }: Props) {
  const api = useApi();
  const canRead = useCan("flow_inputs") && flowId !== null;
  const read = useQuery({ ...runQueries.inputsOf(api, flowId ?? ""), enabled: canRead });
  const told = formInputs(read.data?.data.inputs);
  const names = told.map(({ name }) => name);
  // The flow may be another one by now, or not be told.
  const others = [...new Set([...Object.keys(given), ...Object.keys(typed)])]
    .filter((name) => !names.includes(name))
    .map((name): FormInput => ({ name, isFile: false, description: null, type: typeWord(given[name]) }));
  const inputs = [...told, ...others];
  const changed = changedInputs(typed, given);
  const wrong = new Map(
    refusals.flatMap(({ param, message }) =>
      param.startsWith("inputs") ? [[param.slice("inputs.".length), message] as const] : [],
    ),
  );
  const before = (name: string) => fieldText(Object.hasOwn(given, name) ? given[name] : undefined);
  return (
    <section aria-label="Inputs" className="flex flex-col gap-3">
      <header>
        <h3 className="font-semibold">Inputs</h3>
        <p className="text-muted text-secondary">
          {inputs.length === 0
            ? "This run had no inputs."
            : "As in the earlier run. What you change is read again, and so is all that needs it."}
        </p>
      </header>
      <InputsForm
        inputs={inputs}
        values={Object.fromEntries(inputs.map(({ name }) => [name, typed[name] ?? before(name)]))}
        onChange={(name, text = "") => onChange(name, text === before(name) ? undefined : text)}
        noteOf={({ name }) => {
          const refused = wrong.get(name) ?? wrong.get("");
          if (refused !== undefined && Object.hasOwn(changed, name))
            return <span className="text-state-failed-fg">{refused}</span>;
          if (!Object.hasOwn(changed, name)) return null;
          return (
            <>
              <span className="text-accent">Changed.</span>{" "}
              <button
                type="button"
                aria-label={`Undo the change of ${name}`}
                className={plainLinkClass}
                onClick={() => onChange(name, undefined)}
              >
                Undo
              </button>
            </>
          );
        }}
      />
    </section>
  );
}

function typeWord(value: unknown): string {
  if (value === undefined || typeof value === "string") return "text";
  return Array.isArray(value) ? "list" : value === null ? "JSON" : typeof value;
}
