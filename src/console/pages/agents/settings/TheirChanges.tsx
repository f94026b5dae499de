import { useNavigate } from "@tanstack/react-router";
import type { AgentTool } from "../../../../contract/agents.ts";
import { type AgentDraft, changedFields, type FieldPath } from "../../../agents/agent-draft.ts";
import { own } from "../../../agents/json.ts";
import { JsonView } from "../../../components/json/JsonView.tsx";
import { Dialog } from "../../../ui/Dialog.tsx";
import { ChunkLines } from "../conflict/ChunkLines.tsx";
import { useToolNames } from "../useToolNames.ts";
import type { AgentForm } from "./form.ts";
import { chunksOfMine } from "./prompt-marks.ts";
import { versionWords } from "./Section.tsx";
import { toolLines } from "./tools.ts";

/** What another person changed since the draft began, field by field, over the page. */
export function TheirChanges({ form, isOpen }: { form: AgentForm; isOpen: boolean }) {
  const navigate = useNavigate({ from: "/agents/$agentId/settings" });
  const { newer, base, baseVersion } = form;
  if (!newer) return null;
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={() => void navigate({ search: ({ see: _, ...old }) => old, replace: true })}
      title={`What ${versionWords(newer.version)} changed`}
      description={`Against ${baseVersion === null ? "what you began with" : `version ${baseVersion}, which you began with`}. Your draft is not touched.`}
    >
      <div className="grid gap-4">
        {changedFields(base, newer.draft).map((path) => (
          <section key={path} aria-label={path} className="min-w-0">
            <h3 className="mb-1 text-mono font-medium">{path}</h3>
            {path === "tools" ? (
              <ToolChanges before={base.tools} after={newer.draft.tools} />
            ) : (
              <Change path={path} before={valueAt(base, path)} after={valueAt(newer.draft, path)} />
            )}
          </section>
        ))}
      </div>
    </Dialog>
  );
}

function ToolChanges({ before, after }: { before: readonly AgentTool[]; after: readonly AgentTool[] }) {
  const names = useToolNames([...before, ...after]);
  const lines = toolLines(before, after).filter((line) => line.mark !== null);
  if (lines.length === 0) return <p className="text-muted">In another order.</p>;
  return (
    <ul className="border-t">
      {lines.map(({ identity, tool, was, mark }) => (
        <li key={identity} className="border-b py-1.5">
          <span className="font-medium">{names.of(tool)}</span>{" "}
          <span className="text-muted text-secondary">{mark === "removed" ? "taken out" : mark}</span>
          {mark === "edited" && (
            <div className="mt-1 grid gap-2 text-muted sm:grid-cols-2">
              <JsonView value={was} label="Before" />
              <JsonView value={tool} label="After" />
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}

function Change({ path, before, after }: { path: FieldPath; before: unknown; after: unknown }) {
  if (isText(before) && isText(after))
    return (
      <div className="rounded-control border py-1">
        <ChunkLines chunks={chunksOfMine(before, after, undefined)} label={`Changes of ${path}`} />
      </div>
    );
  return (
    <dl className="grid gap-2 sm:grid-cols-2">
      {[
        ["Before", before],
        ["After", after],
      ].map(([name, value]) => (
        <div key={String(name)} className="min-w-0 rounded-tag bg-surface-sunken px-2.5 py-1.5">
          <dt className="text-muted text-secondary">{String(name)}</dt>
          <dd>
            {value === undefined ? "not there" : <JsonView value={value} label={`${name} of ${path}`} />}
          </dd>
        </div>
      ))}
    </dl>
  );
}

const isText = (value: unknown): value is string | null => value === null || typeof value === "string";

/** The value of a field, metadata by section. */
export function valueAt(draft: AgentDraft, path: FieldPath): unknown {
  return path.startsWith("metadata.")
    ? own(draft.metadata, path.slice("metadata.".length))
    : draft[path as Exclude<keyof AgentDraft, "metadata">];
}
