import { Field } from "../../../ui/Field.tsx";
import { Input } from "../../../ui/Input.tsx";
import { Textarea } from "../../../ui/Textarea.tsx";
import { type AgentForm, guard, offReasonOf } from "./form.ts";
import { FieldMarks, Section } from "./Section.tsx";

/** What the agent is called, and what for. */
export function NameFields({ form }: { form: AgentForm }) {
  const { name, description } = form.mine;
  return (
    <Section id="name" title="Name and description">
      <div className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_minmax(0,2fr)]">
        <Field
          label="Name"
          aside={<FieldMarks form={form} path="name" />}
          error={name.trim() === "" ? "An agent needs a name" : undefined}
        >
          <Input
            value={name}
            autoComplete="off"
            {...guard(offReasonOf(form, "name"))}
            onChange={(event) => form.write({ name: event.target.value })}
          />
        </Field>
        <Field label="Description" aside={<FieldMarks form={form} path="description" />}>
          <Textarea
            value={description ?? ""}
            rows={1}
            {...guard(offReasonOf(form, "description"))}
            onChange={(event) => form.write({ description: event.target.value || null })}
          />
        </Field>
      </div>
    </Section>
  );
}
