import { type ReactNode, useState } from "react";
import type { Agent } from "../../../../contract/agents.ts";
import type { Received } from "../../../../contract/define.ts";
import { JsonTree } from "../../../lib/json/JsonTree.tsx";
import { JsonActions, JsonView } from "../../../lib/json/JsonView.tsx";
import { PlainText } from "../../../lib/markdown/MarkdownText.tsx";
import { Button } from "../../../ui/Button.tsx";
import { CopyButton } from "../../../ui/CopyButton.tsx";
import { Dialog } from "../../../ui/Dialog.tsx";
import type { StoredAgentDraft } from "../agent/draft-store.ts";
import { useIsOffered } from "../models.ts";
import { ToolLines } from "../tools/ToolNames.tsx";
import { Section } from "./Section.tsx";

/**
 * An agent's settings for somebody who may not change them: text without a field. Description, model, prompt, tools,
 * resources, metadata, and all of it as it came.
 */
export function SettingsText({ agent }: { agent: Received<Agent> }) {
  const isOffered = useIsOffered();
  const { description, model_name: model, system_prompt: prompt, tools, resources, metadata } = agent;
  return (
    <div className="grid max-w-[980px] pr-edge-right pb-8 pl-edge-left">
      {description && (
        <Part title="Description">
          <p className="max-w-text break-words">
            <bdi>{description}</bdi>
          </p>
        </Part>
      )}
      <Part title="Model">
        {model ? (
          <p>
            <code className="text-mono">{model}</code>
            {!isOffered(model) && <span className="ml-3 text-state-stopped-fg">no longer available</span>}
          </p>
        ) : (
          <Missing>unknown</Missing>
        )}
      </Part>
      <Part
        title="System prompt"
        aside={prompt ? <CopyButton text={prompt} what="the system prompt" /> : null}
      >
        {prompt ? (
          <div className="max-w-text rounded-tag bg-surface-sunken px-3 py-2">
            <PlainText text={prompt} />
          </div>
        ) : (
          <Missing>{prompt === "" ? "empty" : "unknown"}</Missing>
        )}
      </Part>
      <Part title="Tools" aside={tools && tools.length > 0 ? tools.length : null}>
        {tools && tools.length > 0 ? (
          <div className="max-w-text">
            <ToolLines tools={tools} />
          </div>
        ) : (
          <Missing>{tools ? "none: it only answers" : "unknown"}</Missing>
        )}
      </Part>
      <Part title="Resources" aside={resources && resources.length > 0 ? resources.length : null}>
        {resources && resources.length > 0 ? (
          <JsonView value={resources} label="Resources" />
        ) : (
          <Missing>{resources ? "none" : "unknown"}</Missing>
        )}
      </Part>
      <Part title="Metadata">
        {metadata && Object.keys(metadata).length > 0 ? (
          <JsonView value={metadata} label="Metadata" />
        ) : (
          <Missing>{metadata ? "none" : "unknown"}</Missing>
        )}
      </Part>
      <Part title="Raw data" aside={<WholeActions agent={agent} />}>
        <JsonTree value={agent} label="The whole configuration" />
      </Part>
    </div>
  );
}

/** Copies or saves the agent as the service sent it. */
function WholeActions({ agent }: { agent: Received<Agent> }) {
  return <JsonActions value={agent} what="the configuration" fileName={`${agent.id ?? "agent"}.json`} />;
}

function Part({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  return (
    <section aria-label={title} className="grid gap-x-6 border-b py-3.5 sm:grid-cols-[140px_minmax(0,1fr)]">
      <header className="flex items-center justify-between gap-2 self-start">
        <h3 className="font-semibold">{title}</h3>
        <span className="text-muted text-secondary">{aside}</span>
      </header>
      <div className="min-w-0">{children}</div>
    </section>
  );
}

function Missing({ children }: { children: ReactNode }) {
  return <p className="text-faint">{children}</p>;
}

/** The whole answer, for what no field shows. */
export function AsItCame({ agent }: { agent: Received<Agent> }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Section id="raw" title="Raw data" isNarrow aside={<WholeActions agent={agent} />}>
      <Button size="small" onClick={() => setOpen(true)}>
        Everything the service sent
      </Button>
      <Dialog
        isOpen={isOpen}
        onOpenChange={setOpen}
        title="Raw data"
        description="The saved agent, without your edits"
        footer={<WholeActions agent={agent} />}
      >
        <JsonTree value={agent} label="The whole configuration" />
      </Dialog>
    </Section>
  );
}

/** The agent cannot be read or changed, but what was written of it is still on this device: to be copied, or thrown away. */
export function KeptDraft({
  agentId,
  draft,
  onDiscard,
}: {
  agentId: string;
  draft: StoredAgentDraft;
  onDiscard: () => void;
}) {
  const { mine, texts } = draft;
  // What could not be read as what it should be was never part of the draft itself.
  const value = texts && Object.keys(texts).length > 0 ? { ...mine, "not valid yet": texts } : mine;
  return (
    <section
      aria-label="Your draft"
      className="my-4 mr-edge-right ml-edge-left max-w-text shrink-0 rounded-panel border"
    >
      <header className="flex items-center gap-2 border-b px-3.5 py-1.5">
        <h2 className="flex-1 font-semibold">Your draft is still saved on this device</h2>
        <JsonActions value={value} what="the draft" fileName={`${agentId}-draft.json`} />
        <Button size="small" variant="quiet" onClick={onDiscard}>
          Discard
        </Button>
      </header>
      <div className="max-h-80 overflow-auto px-3.5 py-2">
        <JsonTree value={value} label="The draft" />
      </div>
    </section>
  );
}
