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
  const { description, model_name: model, system_prompt: prompt, metadata } = agent;
  const tools = agent.tools ?? [];
  const resources = agent.resources ?? [];
  const none = (value: unknown, word = "none") => (value == null ? "unknown" : word);
  return (
    <div className="grid max-w-[980px] pr-edge-right pb-8 pl-edge-left">
      {description && (
        <Part title="Description">
          <p className="max-w-text break-words">
            <bdi>{description}</bdi>
          </p>
        </Part>
      )}
      <Part title="Model" missing={!model && "unknown"}>
        <p>
          <code className="text-mono">{model}</code>
          {model && !isOffered(model) && (
            <span className="ml-3 text-state-stopped-fg">no longer available</span>
          )}
        </p>
      </Part>
      <Part
        title="System prompt"
        aside={prompt && <CopyButton text={prompt} what="the system prompt" />}
        missing={!prompt && none(prompt, "empty")}
      >
        <div className="max-w-text rounded-tag bg-surface-sunken px-3 py-2">
          <PlainText text={prompt ?? ""} />
        </div>
      </Part>
      <Part
        title="Tools"
        aside={tools.length || null}
        missing={tools.length === 0 && none(agent.tools, "none: it only answers")}
      >
        <div className="max-w-text">
          <ToolLines tools={tools} />
        </div>
      </Part>
      <Part
        title="Resources"
        aside={resources.length || null}
        missing={resources.length === 0 && none(agent.resources)}
      >
        <JsonView value={resources} label="Resources" />
      </Part>
      <Part title="Metadata" missing={Object.keys(metadata ?? {}).length === 0 && none(metadata)}>
        <JsonView value={metadata} label="Metadata" />
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

type PartProps = {
  title: string;
  aside?: ReactNode;
  /** Said in place of what is not there. */
  missing?: string | false;
  children: ReactNode;
};

function Part({ title, aside, missing = false, children }: PartProps) {
  return (
    <section aria-label={title} className="grid gap-x-6 border-b py-3.5 sm:grid-cols-[140px_minmax(0,1fr)]">
      <header className="flex items-center justify-between gap-2 self-start">
        <h3 className="font-semibold">{title}</h3>
        <span className="text-muted text-secondary">{aside}</span>
      </header>
      <div className="min-w-0">{missing === false ? children : <p className="text-faint">{missing}</p>}</div>
    </section>
  );
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
        onClose={() => setOpen(false)}
        title="Raw data"
        description="The saved agent, without your edits"
        footer={<WholeActions agent={agent} />}
      >
        <JsonTree value={agent} label="The whole configuration" />
      </Dialog>
    </Section>
  );
}

type KeptProps = { agentId: string; draft: StoredAgentDraft; onDiscard: () => void };

/** The agent cannot be read or changed, but what was written of it is still on this device: to be copied, or thrown away. */
export function KeptDraft({ agentId, draft, onDiscard }: KeptProps) {
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
