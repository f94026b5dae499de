import { type FormEvent, useState } from "react";
import { Button } from "../../../ui/Button.tsx";
import { Field } from "../../../ui/Field.tsx";
import { Input } from "../../../ui/Input.tsx";
import { type AgentForm, offReasonOf } from "./form.ts";
import { newSectionProblem } from "./metadata.ts";
import { Section } from "./Section.tsx";

type Props = {
  form: AgentForm;
  /** The evaluation has a page of its own. */
  hasEvaluations: boolean;
  onAdd: (section: string) => void;
};

/** Adds a section of metadata that has no form here, by its name; what is in it is then written as JSON. */
export function AddSection({ form, hasEvaluations, onAdd }: Props) {
  const [name, setName] = useState("");
  const [isAsked, setAsked] = useState(false);
  const problem = newSectionProblem(name, form.mine.metadata, hasEvaluations);
  const offReason = offReasonOf(form, "metadata");
  if (offReason !== undefined) return null;
  const add = (event: FormEvent) => {
    event.preventDefault();
    setAsked(true);
    if (problem !== null) return;
    form.write({ metadata: { ...form.mine.metadata, [name]: {} } });
    setName("");
    setAsked(false);
    onAdd(name);
  };
  return (
    <Section id="metadata" title="Another section of metadata">
      <form onSubmit={add} className="flex max-w-text flex-wrap items-start gap-2">
        <Field
          label="Name of the section"
          hint="For settings that this page has no form for. A service may keep only those that it knows: what it drops is said after saving."
          error={name !== "" || isAsked ? (problem ?? undefined) : undefined}
          className="min-w-0 flex-1"
        >
          <Input
            isMono
            autoComplete="off"
            spellCheck={false}
            placeholder="such_as_this"
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        </Field>
        <Button type="submit" className="mt-6" disabledReason={problem ?? undefined} reasonAs="title">
          Add section
        </Button>
      </form>
    </Section>
  );
}
