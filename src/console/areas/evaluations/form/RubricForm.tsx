import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { rubricLimits } from "../../../../contract/rubric.ts";
import { useApi } from "../../../lib/api.tsx";
import { Checkbox } from "../../../ui/Checkbox.tsx";
import { Field, NativeSelect, Textarea } from "../../../ui/Field.tsx";
import { Input } from "../../../ui/Input.tsx";
import { modelQueries } from "../../directory/index.ts";
import { options, Rows, WordsInput } from "./parts.tsx";
import type { RubricDraft } from "./rubric-draft.ts";

type Props = {
  /** What is switched on with `enabled`; null: that is done elsewhere. */
  enables: string | null;
  /** Who judges where no model is named: the end of "Empty: …". */
  emptyModel: string;
  draft: RubricDraft;
  onChange: (draft: RubricDraft) => void;
  problems: ReadonlyMap<string, string>;
  isReadOnly: boolean;
};

const frequencies = {
  debounced: "Some time after the last turn",
  per_turn: "After each turn",
  manual: "Only when asked",
};
const types = {
  other: "something else",
  voice_tone: "voice and tone",
  prohibited_action: "a prohibited act",
  prohibited_words: "prohibited words",
};
const priorities = { needs_review: "needs review", needs_attention: "needs attention" };
const dataTypes = { string: "text", number: "number", integer: "whole number", boolean: "yes or no" };

/** What an agent's configuration and a saved rubric share (§2.6), as a form. */
export function RubricForm({ enables, emptyModel, draft, onChange, problems, isReadOnly }: Props) {
  const set = (part: Partial<RubricDraft>) => onChange({ ...draft, ...part });
  const rows = { problems, isReadOnly };
  const { sentiment } = draft;
  const models = useOfferedModels();
  const modelsId = useId();
  return (
    <fieldset disabled={isReadOnly} className="min-w-0">
      <section
        aria-label="When and by what"
        className="grid gap-x-5 gap-y-3 border-b px-edge-left py-4 sm:grid-cols-2 lg:grid-cols-3"
      >
        <div className="flex flex-col gap-2 sm:col-span-2 lg:col-span-3">
          {enables !== null && (
            <Checkbox
              label={enables}
              checked={draft.enabled}
              onChange={(event) => set({ enabled: event.target.checked })}
            />
          )}
          <Checkbox
            label="Also give tags that are not in the list"
            checked={draft.include_auto_tags}
            onChange={(event) => set({ include_auto_tags: event.target.checked })}
          />
        </div>
        <Field label="Model" hint={`Empty: ${emptyModel}`}>
          <Input
            value={draft.model_name}
            placeholder="provider/model"
            list={modelsId}
            isMono
            onChange={(event) => set({ model_name: event.target.value })}
          />
          <datalist id={modelsId}>
            {models.map((model) => (
              <option key={model} value={model} />
            ))}
          </datalist>
        </Field>
        <Field label="When">
          <NativeSelect value={draft.frequency} onChange={(event) => set({ frequency: event.target.value })}>
            {options(frequencies, draft.frequency)}
          </NativeSelect>
        </Field>
        <Field label="Language of the summary" hint="auto: that of the conversation.">
          <Input value={draft.language} onChange={(event) => set({ language: event.target.value })} />
        </Field>
        <Field
          label="Kinds of conversation"
          hint="Separated by commas; empty means all."
          className="sm:col-span-2 lg:col-span-3"
        >
          <WordsInput
            words={draft.interaction_types}
            onChange={(words) => set({ interaction_types: words })}
          />
        </Field>
      </section>
      <Rows
        {...rows}
        title="Criteria"
        what="criterion"
        hint="What every conversation must meet. Prohibited words are looked for by code, one on a line; everything else is for the model that judges."
        rows={draft.criteria}
        most={rubricLimits.criteria}
        empty={(key) => ({ id: null, key, name: "", prompt: "", type: "other", priority: "needs_review" })}
        onChange={(criteria) => set({ criteria })}
      >
        {(row, change, name) => (
          <div className="grid gap-2 sm:grid-cols-[1fr_160px_160px]">
            <Input
              aria-label={`Name of ${name}`}
              placeholder="States the amount and the document behind it"
              value={row.name}
              onChange={(event) => change({ name: event.target.value })}
            />
            <NativeSelect
              aria-label={`Type of ${name}`}
              value={row.type}
              onChange={(event) => change({ type: event.target.value })}
            >
              {options(types, row.type)}
            </NativeSelect>
            <NativeSelect
              aria-label={`If ${name} fails`}
              value={row.priority}
              onChange={(event) => change({ priority: event.target.value })}
            >
              {options(priorities, row.priority)}
            </NativeSelect>
            <Textarea
              aria-label={`What ${name} looks at`}
              rows={2}
              className="sm:col-span-3"
              placeholder={
                row.type === "prohibited_words"
                  ? "guarantee\nno risk"
                  : "The reply names the amount and the document that it is taken from."
              }
              value={row.prompt}
              onChange={(event) => change({ prompt: event.target.value })}
            />
          </div>
        )}
      </Rows>
      <Rows
        {...rows}
        title="Tags"
        what="tag"
        hint="Marks that a conversation may get, upper case with underscores."
        rows={draft.tags}
        most={rubricLimits.tags}
        empty={(key) => ({ key, name: "", description: "" })}
        onChange={(tags) => set({ tags })}
      >
        {(row, change, name) => (
          <div className="grid gap-2 sm:grid-cols-[240px_1fr]">
            <Input
              aria-label={`Name of ${name}`}
              placeholder="LATE_NOTICE"
              className="font-mono"
              value={row.name}
              onChange={(event) => change({ name: event.target.value })}
            />
            <Input
              aria-label={`When ${name} is given`}
              placeholder="When it is given"
              value={row.description}
              onChange={(event) => change({ description: event.target.value })}
            />
          </div>
        )}
      </Rows>
      <Rows
        {...rows}
        title="Data points"
        what="data point"
        hint="Values that are read out of each conversation."
        rows={draft.data_points}
        most={rubricLimits.data_points}
        empty={(key) => ({ id: null, key, name: "", data_type: "string", description: "" })}
        onChange={(data_points) => set({ data_points })}
      >
        {(row, change, name) => (
          <div className="grid gap-2 sm:grid-cols-[240px_140px_1fr]">
            <Input
              aria-label={`Name of ${name}`}
              placeholder="claim_amount_eur"
              className="font-mono"
              value={row.name}
              onChange={(event) => change({ name: event.target.value })}
            />
            <NativeSelect
              aria-label={`Type of ${name}`}
              value={row.data_type}
              onChange={(event) => change({ data_type: event.target.value })}
            >
              {options(dataTypes, row.data_type)}
            </NativeSelect>
            <Input
              aria-label={`What ${name} is`}
              placeholder="What it is"
              value={row.description}
              onChange={(event) => change({ description: event.target.value })}
            />
          </div>
        )}
      </Rows>
      <section aria-label="Mood" className="flex flex-col gap-2 px-edge-left py-4">
        <h3 className="font-semibold">Mood</h3>
        <Checkbox
          label="Read the mood of the person"
          checked={sentiment.enabled}
          onChange={(event) => set({ sentiment: { ...sentiment, enabled: event.target.checked } })}
        />
        <Checkbox
          label="Bad sentiment affects the grade"
          checked={sentiment.affects_grade}
          disabled={!sentiment.enabled}
          onChange={(event) => set({ sentiment: { ...sentiment, affects_grade: event.target.checked } })}
        />
        <Textarea
          aria-label="What a bad mood is"
          rows={2}
          placeholder="What a bad mood is, in your words"
          value={sentiment.description}
          onChange={(event) => set({ sentiment: { ...sentiment, description: event.target.value } })}
        />
      </section>
    </fieldset>
  );
}

/** The models that this caller may choose, as `model_name` takes them; none as long as that is not known. */
function useOfferedModels(): readonly string[] {
  const { data } = useQuery(modelQueries.list(useApi()));
  const options = (data?.data.model_groups ?? []).flatMap((group) => group?.options ?? []);
  return options.flatMap((option) => (option?.value && option.restricted !== true ? [option.value] : []));
}
