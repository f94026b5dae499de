import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import type { Agent } from "../../../../contract/agents.ts";
import type { Received } from "../../../../contract/define.ts";
import { useCan } from "../../../lib/api/useCan.ts";
import { patchOf } from "../agent/agent-draft.ts";
import { AddSection } from "./AddSection.tsx";
import { AsItCame } from "./AsItCame.tsx";
import type { AgentForm } from "./form.ts";
import { MetadataSection } from "./MetadataSection.tsx";
import { ModelField } from "./ModelField.tsx";
import { fitsForm, isFormSection, sectionsOf } from "./metadata.ts";
import { NameFields } from "./NameFields.tsx";
import { NewerBand } from "./NewerBand.tsx";
import { PromptSection } from "./PromptSection.tsx";
import { ResourcesSection } from "./ResourcesSection.tsx";
import { SavedBand } from "./SavedBand.tsx";
import { goToSection } from "./Section.tsx";
import { SectionList } from "./SectionList.tsx";
import type { SettingsSearch } from "./search.ts";
import { ToolsSection } from "./ToolsSection.tsx";
import type { Settings } from "./useSettings.ts";
import { WillBeSent } from "./WillBeSent.tsx";

type Props = {
  agent: Received<Agent>;
  agentId: string;
  settings: Settings;
  form: AgentForm;
  search: SettingsSearch;
};

/** The settings themselves: the sections, their fields, and beside them exactly what a save would send. */
export function SettingsEditor({ agent, agentId, settings, form, search }: Props) {
  const navigate = useNavigate({ from: "/agents/$agentId/settings" });
  const { saver } = settings;
  const { base, mine } = form;
  useEffect(() => {
    if (search.section !== undefined) goToSection(search.section);
  }, [search.section]);

  const hasEvaluations = useCan("evaluation_config_edit");
  const sections = sectionsOf(hasEvaluations, base.metadata, mine.metadata);
  const isNarrow = (section: string) => isFormSection(section) && fitsForm(section, mine.metadata[section]);
  return (
    <>
      {saver.saved && <SavedBand saved={saver.saved} onClose={() => saver.setSaved(null)} />}
      <NewerBand agentId={agentId} form={form} />
      <div className="grid min-h-0 flex-1 max-md:block md:grid-cols-[220px_minmax(0,1fr)] md:grid-rows-[minmax(0,1fr)_auto] lg:grid-cols-[248px_minmax(0,1fr)]">
        <div className="relative md:overflow-y-auto md:border-r">
          <SectionList form={form} agentId={agentId} current={search.section ?? "name"} />
        </div>
        <div className="relative min-w-0 md:row-span-2 md:overflow-y-auto lg:flex lg:overflow-hidden">
          <div className="relative min-w-0 flex-1 lg:overflow-y-auto">
            <NameFields form={form} />
            <PromptSection form={form} view={search.prompt ?? "write"} />
            <ToolsSection form={form} />
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
          <Sent agentId={agentId} form={form} />
        </div>
      </div>
    </>
  );
}

function Sent({ agentId, form }: { agentId: string; form: AgentForm }) {
  const { base, mine, baseVersion, changed } = form;
  return (
    <WillBeSent
      agentId={agentId}
      body={patchOf(base, mine, baseVersion)}
      about={
        changed.size === 0
          ? "Nothing is changed yet"
          : changed.size === 1
            ? "The field that you changed"
            : `The ${changed.size} fields that you changed`
      }
    />
  );
}
