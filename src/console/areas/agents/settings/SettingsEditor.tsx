import { useNavigate } from "@tanstack/react-router";
import type { Agent } from "../../../../contract/agents.ts";
import type { Received } from "../../../../contract/define.ts";
import { useCan } from "../../../lib/api.tsx";
import type { JsonObject } from "../../../lib/json/json-value.ts";
import { Field, Textarea } from "../../../ui/Field.tsx";
import { Input } from "../../../ui/Input.tsx";
import { patchOf } from "../agent/agent-draft.ts";
import type { SettingsSearch } from "../search.ts";
import { ApprovalsSection, useApprovalsForm } from "./ApprovalsSection.tsx";
import { type AgentForm, guard, offReasonOf } from "./form.ts";
import { AddSection, MetadataSection } from "./MetadataSection.tsx";
import { ModelField } from "./ModelField.tsx";
import { fitsForm, isFormSection, sectionsOf } from "./metadata.ts";
import { PromptSection } from "./PromptSection.tsx";
import { FieldMarks, Section, useSectionInView } from "./Section.tsx";
import { SectionList } from "./SectionList.tsx";
import { NewerBand, SavedBand } from "./SettingsNotices.tsx";
import { AsItCame } from "./SettingsText.tsx";
import { ToolsSection } from "./ToolsSection.tsx";
import { JsonField } from "./TypedFields.tsx";
import type { Settings } from "./useSettings.ts";
import { WillBeSent } from "./WillBeSent.tsx";

type Props = {
  agent: Received<Agent>;
  settings: Settings;
  form: AgentForm;
  search: SettingsSearch;
};

/** The settings themselves: the sections, their fields, and beside them exactly what a save would send. */
export function SettingsEditor({ agent, settings, form, search }: Props) {
  const navigate = useNavigate({ from: "/agents/$agentId/settings" });
  const { saved, forgetSaved } = settings;
  const { base, mine } = form;
  useSectionInView(search.section);
  const hasEvaluations = useCan("evaluation_config_edit");
  const approvals = useApprovalsForm(mine.metadata);
  const sections = sectionsOf(hasEvaluations, base.metadata, mine.metadata).filter(
    (section) => section !== "approvals" || approvals === null,
  );
  const isNarrow = (section: string) => isFormSection(section) && fitsForm(section, mine.metadata[section]);
  return (
    <>
      {saved && <SavedBand saved={saved} onClose={forgetSaved} />}
      <NewerBand form={form} />
      <div className="grid min-h-0 flex-1 max-md:block md:grid-cols-[220px_minmax(0,1fr)] md:grid-rows-[minmax(0,1fr)_auto] lg:grid-cols-[248px_minmax(0,1fr)]">
        <div className="relative md:overflow-y-auto md:border-r">
          <SectionList form={form} current={search.section ?? "name"} />
        </div>
        <div className="relative min-w-0 md:row-span-2 md:overflow-y-auto lg:flex lg:overflow-hidden">
          <div className="relative min-w-0 flex-1 lg:overflow-y-auto">
            <NameFields form={form} />
            <PromptSection form={form} view={search.prompt ?? "write"} />
            <ToolsSection form={form} />
            {approvals !== null && <ApprovalsSection form={form} approvals={approvals} />}
            <ResourcesSection form={form} />
            {sections
              .filter((section) => !isNarrow(section))
              .map((section) => (
                <MetadataSection key={section} form={form} section={section} />
              ))}
            <AddSection
              form={form}
              hasEvaluations={hasEvaluations}
              onAdd={(section) =>
                void navigate({
                  search: (old) => ({ ...old, section: `metadata.${section}` }),
                  replace: true,
                })
              }
            />
          </div>
          <div className="relative w-[304px] shrink-0 border-l max-lg:w-auto max-lg:border-t max-lg:border-l-0 lg:overflow-y-auto">
            <ModelField form={form} />
            {sections.filter(isNarrow).map((section) => (
              <MetadataSection key={section} form={form} section={section} />
            ))}
            <AsItCame agent={agent} />
          </div>
        </div>
        <div className="md:border-r">
          <WillBeSent
            agentId={form.agentId}
            body={patchOf(base, mine, form.baseVersion)}
            about={
              form.changed.size === 0
                ? "No changes yet"
                : form.changed.size === 1
                  ? "The field you changed"
                  : `The ${form.changed.size} fields you changed`
            }
          />
        </div>
      </div>
    </>
  );
}

/** What the agent is called, and what for. */
function NameFields({ form }: { form: AgentForm }) {
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

/** What the agent is given to read. The interface says only "objects", so they are shown and changed as they come. */
function ResourcesSection({ form }: { form: AgentForm }) {
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
