import type { JsonObject } from "../../../lib/json/json-value.ts";
import { type AgentForm, offReasonOf } from "./form.ts";
import { JsonField } from "./JsonField.tsx";
import { FieldMarks, Section } from "./Section.tsx";

/** What the agent is given to read. The interface says only "objects", so they are shown and changed as they come. */
export function ResourcesSection({ form }: { form: AgentForm }) {
  const { resources } = form.mine;
  return (
    <Section
      id="resources"
      title="Resources"
      mark={
        <>
          <span className="text-muted text-secondary">
            {resources.length === 0 ? "none" : resources.length}; objects of the service, as JSON
          </span>
          <FieldMarks form={form} path="resources" />
        </>
      }
    >
      <JsonField
        form={form}
        label="Resources as JSON"
        path="resources"
        value={resources}
        wants="objects"
        offReason={offReasonOf(form, "resources")}
        onValue={(value) => form.write({ resources: value as readonly JsonObject[] }, "resources")}
      />
    </Section>
  );
}
