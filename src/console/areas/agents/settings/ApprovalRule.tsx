import { useState } from "react";
import { lapseLimits } from "../../../../contract/agent-settings.ts";
import { textLimits } from "../../../../contract/limits.ts";
import { joinNames } from "../../../lib/join-names.ts";
import { Checkbox } from "../../../ui/Checkbox.tsx";
import { Field, NativeSelect } from "../../../ui/Field.tsx";
import { Input } from "../../../ui/Input.tsx";
import { type PersonIn, personName } from "../../directory/index.ts";
import {
  type Approvals,
  type LapseUnit,
  lapseUnits,
  readLapse,
  unitOf,
  withApprovalKey,
} from "../agent/approvals.ts";
import { type AgentForm, guard, offReasonOf } from "./form.ts";
import { useHeldText } from "./TypedFields.tsx";

type People = readonly (PersonIn | null)[];

type Props = {
  form: AgentForm;
  approvals: Approvals;
  /** The section as it stands. */
  value: unknown;
  operators: People;
  candidates: People;
  onValue: (next: unknown, path?: string) => void;
};

/** Who may answer the agent's questions, and when they lapse. */
export function ApprovalRule(props: Props) {
  const { form, approvals, value, operators, onValue } = props;
  const offReason = offReasonOf(form, "metadata");
  const { who } = approvals;
  const names = operators.flatMap((one) => personName(one) ?? []);
  const about = {
    person: "The person the agent works for. Where there is none, the team’s operators.",
    operators: `Operators of the agent’s team${names.length > 0 ? `: ${joinNames(names)}` : ""}.`,
    people: "Only these people, as long as they can see the agent.",
  };
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <div className="min-w-0">
        <Field label="Who may answer" hint={about[who]}>
          <NativeSelect
            value={who}
            {...guard(offReason)}
            onChange={({ target }) =>
              onValue(withApprovalKey(value, "who", target.value === "person" ? undefined : target.value))
            }
          >
            <option value="person">The person it works for</option>
            <option value="operators">Operators of its team</option>
            <option value="people">People named here</option>
          </NativeSelect>
        </Field>
        {who === "people" && <NamedPeople {...props} offReason={offReason} />}
      </div>
      <TimeLimit form={form} approvals={approvals} value={value} onValue={onValue} />
    </div>
  );
}

/** Those who may be named, and those who are though they no longer may. */
function NamedPeople({
  approvals,
  value,
  candidates,
  onValue,
  offReason,
}: Props & { offReason: string | undefined }) {
  const { people } = approvals;
  const known = candidates.flatMap((one) =>
    one?.id ? [{ id: one.id, name: personName(one) ?? one.id }] : [],
  );
  const others = people
    .filter((id) => !known.some((one) => one.id === id))
    .map((id) => ({ id, name: `${id}, not available` }));
  const toggle = (id: string, isOn: boolean) =>
    onValue(withApprovalKey(value, "people", isOn ? [...people, id] : people.filter((one) => one !== id)));
  return (
    <fieldset className="mt-2 max-h-52 overflow-y-auto rounded-control border px-3 py-1.5">
      <legend className="sr-only">People who may answer</legend>
      {[...known, ...others].map(({ id, name }) => (
        <div key={id} className="flex min-h-7 min-w-0 items-center">
          <Checkbox
            label={<bdi>{name}</bdi>}
            checked={people.includes(id)}
            aria-disabled={
              offReason !== undefined || (!people.includes(id) && people.length >= textLimits.approvers)
            }
            onChange={({ target }) => toggle(id, target.checked)}
          />
        </div>
      ))}
      {known.length + others.length === 0 && <p className="text-muted">No one can be named.</p>}
      {people.length === 0 && (
        <p className="py-1 text-secondary text-state-stopped-fg">
          No one named: the next rule counts, the person it works for or the team’s operators.
        </p>
      )}
    </fieldset>
  );
}

const path = "metadata.approvals.lapse_s";

/** After how long a question lapses; typed in the unit that is chosen. */
function TimeLimit({
  form,
  approvals,
  value,
  onValue,
}: Pick<Props, "form" | "approvals" | "value" | "onValue">) {
  const { lapseS } = approvals;
  const offReason = offReasonOf(form, "metadata");
  const [unit, setUnit] = useState<LapseUnit>(unitOf(lapseS ?? lapseLimits.default));
  const { text, failed, setText } = useHeldText(form, path, lapseS ?? undefined, {
    read: (typed) => readLapse(typed, unit),
    show: (seconds) => (typeof seconds === "number" ? String(seconds / lapseUnits[unit]) : ""),
    write: (seconds) => onValue(withApprovalKey(value, "lapse_s", seconds), path),
  });
  return (
    <Field
      label="Time limit"
      hint="Then the call is refused, and the agent goes on without it."
      error={failed && "Between 1 minute and 30 days"}
    >
      <span className="flex gap-2">
        <Input
          inputMode="decimal"
          autoComplete="off"
          className="min-w-0 flex-1 tabular-nums"
          placeholder={`${lapseLimits.default / lapseUnits[unit]}, unless set`}
          value={text}
          {...guard(offReason)}
          onChange={(event) => setText(event.target.value)}
        />
        <NativeSelect
          aria-label="Unit of the time limit"
          // The label is that of the number.
          id={undefined}
          value={unit}
          {...guard(offReason)}
          onChange={({ target }) => {
            const next = (Object.keys(lapseUnits) as LapseUnit[]).find((one) => one === target.value) ?? unit;
            setUnit(next);
            const read = readLapse(text, next);
            if (read.ok && text.trim() !== "") onValue(withApprovalKey(value, "lapse_s", read.value), path);
          }}
        >
          {Object.keys(lapseUnits).map((one) => (
            <option key={one}>{one}</option>
          ))}
        </NativeSelect>
      </span>
    </Field>
  );
}
