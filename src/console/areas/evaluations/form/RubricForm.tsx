import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { useController, useWatch } from "react-hook-form";
import { rubricLimits } from "../../../../contract/rubric.ts";
import { useApi } from "../../../lib/api.tsx";
import { fieldsOf, Options, ReadOnly } from "../../../lib/form/FormField.tsx";
import { type Column, FormRows } from "../../../lib/form/FormRows.tsx";
import { NativeSelect, Textarea } from "../../../ui/Field.tsx";
import { Input } from "../../../ui/Input.tsx";
import { modelQueries } from "../../directory/index.ts";
import { emptyRow, type RubricDraft } from "./rubric-draft.ts";

const frequencies = {
  debounced: "Some time after the last turn",
  per_turn: "After each turn",
  manual: "Only when asked",
};

const criteria: readonly Column<typeof emptyRow.criteria>[] = [
  {
    name: "name",
    label: (row) => `Name of ${row}`,
    placeholder: "States the amount and the document behind it",
  },
  {
    name: "type",
    label: (row) => `Type of ${row}`,
    options: {
      other: "other",
      voice_tone: "voice and tone",
      prohibited_action: "a prohibited act",
      prohibited_words: "prohibited words",
    },
  },
  {
    name: "priority",
    label: (row) => `If ${row} fails`,
    options: { needs_review: "needs review", needs_attention: "needs attention" },
  },
  {
    name: "prompt",
    label: (row) => `What ${row} checks`,
    isLong: true,
    placeholder: ({ type }) =>
      type === "prohibited_words"
        ? "guarantee\nno risk"
        : "The reply names the amount and the document it comes from.",
  },
];

const tags: readonly Column<typeof emptyRow.tags>[] = [
  { name: "name", label: (row) => `Name of ${row}`, placeholder: "LATE_NOTICE", isMono: true },
  { name: "description", label: (row) => `When to apply ${row}`, placeholder: "When to apply it" },
];

const dataPoints: readonly Column<typeof emptyRow.data_points>[] = [
  { name: "name", label: (row) => `Name of ${row}`, placeholder: "claim_amount_eur", isMono: true },
  {
    name: "data_type",
    label: (row) => `Type of ${row}`,
    options: { string: "text", number: "number", integer: "whole number", boolean: "yes or no" },
  },
  { name: "description", label: (row) => `What ${row} is`, placeholder: "What it is" },
];

type Props = {
  /** What is switched on with `enabled`; null: that is done elsewhere. */
  enables: string | null;
  /** Who judges where no model is named: the end of "Empty: …". */
  emptyModel: string;
  isReadOnly: boolean;
};

const Form = fieldsOf<RubricDraft>();

/** What an agent's configuration and a saved rubric share (§2.6): the parts of the form around it. */
export function RubricForm({ enables, emptyModel, isReadOnly }: Props) {
  const readsMood = useWatch<RubricDraft, "sentiment.enabled">({ name: "sentiment.enabled" });
  const mood = useController<RubricDraft, "sentiment.description">({ name: "sentiment.description" });
  const models = useOfferedModels();
  const modelsId = useId();
  return (
    <ReadOnly value={isReadOnly}>
      <section
        aria-label="Schedule and model"
        className="grid gap-x-5 gap-y-3 border-b px-edge-left py-4 sm:grid-cols-2 lg:grid-cols-3"
      >
        <div className="flex flex-col gap-2 sm:col-span-2 lg:col-span-3">
          {enables !== null && <Form.Checkbox name="enabled" label={enables} />}
          <Form.Checkbox name="include_auto_tags" label="Allow tags that are not in the list" />
        </div>
        <Form.Field name="model_name" label="Model" hint={`Empty: ${emptyModel}`}>
          {(field) => (
            <>
              <Input {...field} placeholder="provider/model" list={modelsId} isMono />
              <datalist id={modelsId}>
                {models.map((model) => (
                  <option key={model} value={model} />
                ))}
              </datalist>
            </>
          )}
        </Form.Field>
        <Form.Field name="frequency" label="When">
          {(field) => (
            <NativeSelect {...field}>
              <Options of={frequencies} value={field.value} />
            </NativeSelect>
          )}
        </Form.Field>
        <Form.Field name="language" label="Summary language" hint="auto: the conversation’s language.">
          {(field) => <Input {...field} />}
        </Form.Field>
        <Form.Field
          name="interaction_types"
          label="Conversation types"
          hint="Separated by commas; empty means all."
          className="sm:col-span-2 lg:col-span-3"
        >
          {(field) => <WordsInput {...field} />}
        </Form.Field>
      </section>
      <FormRows
        name="criteria"
        title="Criteria"
        what="criterion"
        hint="What every conversation must meet. Prohibited words are checked by code, one per line; the model judges everything else."
        most={rubricLimits.criteria}
        empty={emptyRow.criteria}
        columns={criteria}
        className="sm:grid-cols-[1fr_160px_160px]"
        isReadOnly={isReadOnly}
      />
      <FormRows
        name="tags"
        title="Tags"
        what="tag"
        hint="Labels for conversations, in upper case with underscores."
        most={rubricLimits.tags}
        empty={emptyRow.tags}
        columns={tags}
        className="sm:grid-cols-[240px_1fr]"
        isReadOnly={isReadOnly}
      />
      <FormRows
        name="data_points"
        title="Data points"
        what="data point"
        hint="Values extracted from each conversation."
        most={rubricLimits.data_points}
        empty={emptyRow.data_points}
        columns={dataPoints}
        className="sm:grid-cols-[240px_140px_1fr]"
        isReadOnly={isReadOnly}
      />
      <section aria-label="Sentiment" className="flex flex-col gap-2 px-edge-left py-4">
        <h3 className="font-semibold">Sentiment</h3>
        <Form.Checkbox name="sentiment.enabled" label="Detect the user’s sentiment" />
        <Form.Checkbox
          name="sentiment.affects_grade"
          label="Bad sentiment affects the grade"
          aria-disabled={!readsMood}
        />
        <Textarea
          {...mood.field}
          {...(isReadOnly && { readOnly: true, "aria-disabled": true })}
          aria-label="What counts as bad sentiment"
          rows={2}
          placeholder="What counts as bad sentiment"
        />
      </section>
    </ReadOnly>
  );
}

type WordsProps = {
  value: readonly string[];
  onChange: (words: readonly string[]) => void;
  onBlur: () => void;
};

/** Words with commas between them. What is typed stays as it is for as long as it says the words: also a comma at the end. */
function WordsInput({ value, onChange, ...rest }: WordsProps) {
  const [typed, setTyped] = useState("");
  const isSame = wordsIn(typed).join() === value.join();
  return (
    <Input
      {...rest}
      value={isSame ? typed : value.join(", ")}
      placeholder="all"
      onChange={(event) => {
        setTyped(event.target.value);
        onChange(wordsIn(event.target.value));
      }}
    />
  );
}

const wordsIn = (text: string): readonly string[] =>
  text
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "");

/** The models that this caller may choose, as `model_name` takes them; none as long as that is not known. */
function useOfferedModels(): readonly string[] {
  const { data } = useQuery(modelQueries.list(useApi()));
  const options = (data?.data.model_groups ?? []).flatMap((group) => group?.options ?? []);
  return options.flatMap((option) => (option?.value && option.restricted !== true ? [option.value] : []));
}
