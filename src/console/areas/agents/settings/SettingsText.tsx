import type { ReactNode } from "react";
import type { Agent } from "../../../../contract/agents.ts";
import type { Received } from "../../../../contract/define.ts";
import { JsonActions } from "../../../lib/json/JsonActions.tsx";
import { JsonTree } from "../../../lib/json/JsonTree.tsx";
import { JsonView } from "../../../lib/json/JsonView.tsx";
import { PlainText } from "../../../lib/markdown/MarkdownText.tsx";
import { CopyButton } from "../../../ui/CopyButton.tsx";
import { ToolLines } from "../ToolLines.tsx";
import { useIsOffered } from "../useModels.ts";

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
            {!isOffered(model) && (
              <span className="ml-3 text-state-stopped-fg">not offered here any more</span>
            )}
          </p>
        ) : (
          <Missing>not given</Missing>
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
          <Missing>{prompt === "" ? "empty" : "not given"}</Missing>
        )}
      </Part>
      <Part title="Tools" aside={tools && tools.length > 0 ? tools.length : null}>
        {tools && tools.length > 0 ? (
          <div className="max-w-text">
            <ToolLines tools={tools} />
          </div>
        ) : (
          <Missing>{tools ? "none: it only answers" : "not given"}</Missing>
        )}
      </Part>
      <Part title="Resources" aside={resources && resources.length > 0 ? resources.length : null}>
        {resources && resources.length > 0 ? (
          <JsonView value={resources} label="Resources" />
        ) : (
          <Missing>{resources ? "none" : "not given"}</Missing>
        )}
      </Part>
      <Part title="Metadata">
        {metadata && Object.keys(metadata).length > 0 ? (
          <JsonView value={metadata} label="Metadata" />
        ) : (
          <Missing>{metadata ? "none" : "not given"}</Missing>
        )}
      </Part>
      <Part title="As it came" aside={<WholeActions agent={agent} />}>
        <JsonTree value={agent} label="The whole configuration" />
      </Part>
    </div>
  );
}

/** Copies or saves the agent as the service sent it. */
export function WholeActions({ agent }: { agent: Received<Agent> }) {
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
