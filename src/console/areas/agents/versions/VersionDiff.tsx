import { useNavigate } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import type { Agent } from "../../../../contract/agents.ts";
import type { Received } from "../../../../contract/define.ts";
import { TextDiff } from "../../../lib/diff/TextDiff.tsx";
import { ReadFailure } from "../../../lib/failure/Failure.tsx";
import { useMissingRight } from "../../../lib/rights/rights.ts";
import { counted } from "../../../lib/words.ts";
import { Button } from "../../../ui/Button.tsx";
import { NativeSelect } from "../../../ui/Field.tsx";
import { Segmented } from "../../../ui/Segmented.tsx";
import { SkeletonRows } from "../../../ui/SkeletonRows.tsx";
import { type AgentDraft, draftFields, draftOf, sameDraft } from "../agent/agent-draft.ts";
import { diffAgents } from "../agent/compare.ts";
import type { VersionsSearch } from "../search.ts";
import { FieldDiffs } from "./FieldDiffs.tsx";
import { RestoreDialog } from "./RestoreDialog.tsx";
import type { VersionLine } from "./Timeline.tsx";
import { useVersionDraft, type useVersions } from "./useVersions.ts";

type Props = {
  agentId: string;
  agent: Received<Agent>;
  name: string;
  versions: ReturnType<typeof useVersions>;
  from: number | null;
  to: number | null;
  search: VersionsSearch;
};

/** Two versions beside each other: what differs, and the way back to the older one. */
export function VersionDiff({ agentId, agent, name, versions, from, to, search }: Props) {
  const navigate = useNavigate({ from: "/agents/$agentId/versions" });
  const [isRestoring, setRestoring] = useState(false);
  const { lines, seen } = versions;
  const missing = useMissingRight(agent.team_id, "edit");
  const older = useVersionDraft(agentId, from, agent, seen);
  const newer = useVersionDraft(agentId, to, agent, seen);
  const now = agent.version ?? null;
  const both = useMemo(
    () =>
      older.draft &&
      newer.draft && {
        diff: diffAgents(older.draft, newer.draft),
        texts: { before: draftText(older.draft), after: draftText(newer.draft) },
      },
    [older.draft, newer.draft],
  );
  const change = (part: VersionsSearch) =>
    void navigate({
      search: { ...search, ...(from !== null && { from }), ...(to !== null && { to }), ...part },
      replace: true,
    });
  const failed = older.read.isError ? older.read : newer.read.isError ? newer.read : null;
  // What can be gone back to: of the two, the one that is not how the agent is now.
  const target = to !== now ? { version: to, draft: newer.draft } : { version: from, draft: older.draft };
  const present = useMemo(() => draftOf(agent), [agent]);
  const isText = search.lines === true;
  return (
    <section aria-label="Comparison" className="flex min-w-0 flex-1 flex-col overflow-y-auto">
      <header className="sticky top-0 z-sticky flex min-h-filters shrink-0 flex-wrap items-center gap-x-3 gap-y-2 border-b bg-surface py-2 pr-edge-right pl-edge-left">
        <span className="flex items-center gap-1.5">
          <Pick
            {...{ lines, now }}
            label="From version"
            value={from}
            onPick={(version) => change({ from: version })}
          />
          <span className="text-muted text-secondary">to</span>
          <Pick
            {...{ lines, now }}
            label="To version"
            value={to}
            onPick={(version) => change({ to: version })}
          />
        </span>
        <span
          className="min-w-0 flex-1 truncate text-muted text-secondary max-sm:order-last max-sm:basis-full"
          aria-live="polite"
        >
          {both?.diff.length === 0
            ? "No differences"
            : both && counted(both.diff.length, "field differs", "fields differ")}
        </span>
        <Segmented
          label="Comparison view"
          options={[
            { value: "fields", label: "Fields" },
            { value: "text", label: "Text" },
          ]}
          value={isText ? "text" : "fields"}
          onChange={(view) =>
            void navigate({
              search: ({ lines: _, ...rest }) => (view === "text" ? { ...rest, lines: true } : rest),
              replace: true,
            })
          }
        />
        {target.version !== null && target.version !== now && target.draft !== null && (
          <Button
            size="small"
            onClick={() => setRestoring(true)}
            disabledReason={
              missing ??
              (sameDraft(target.draft, present) ? "The agent already matches this version" : undefined)
            }
            reasonAs="title"
          >
            Restore version {target.version}
          </Button>
        )}
      </header>
      {failed ? (
        <ReadFailure query={failed} what="This version" />
      ) : from === null || to === null ? (
        <p className="py-6 pr-edge-right pl-edge-left text-muted">
          {lines.length < 2
            ? "There is one version so far. Every change to the agent creates another, and you’ll see the difference here."
            : "This is the oldest known version. Choose one to compare it with."}
        </p>
      ) : !both ? (
        older.isReading || newer.isReading ? (
          <SkeletonRows label="Loading both versions" rows={6} columns={["120px", "1fr"]} />
        ) : (
          <p className="py-6 pr-edge-right pl-edge-left text-muted">
            {older.draft === null ? `Version ${from}` : `Version ${to}`} is not available
            {versions.isService ? "" : ": this browser has only the versions it has seen"}.
          </p>
        )
      ) : both.diff.length === 0 ? (
        <p className="py-6 pr-edge-right pl-edge-left text-muted">
          Nothing differs between these versions. A transfer to another team creates a version too.
        </p>
      ) : isText ? (
        <div className="py-3.5 pr-edge-right pl-edge-left">
          <TextDiff {...both.texts} label="All fields by line" isMono />
        </div>
      ) : (
        <FieldDiffs diff={both.diff} />
      )}
      {isRestoring && target.version !== null && target.draft !== null && (
        <RestoreDialog
          agentId={agentId}
          agent={agent}
          name={name}
          version={target.version}
          draft={target.draft}
          onClose={() => setRestoring(false)}
        />
      )}
    </section>
  );
}

type PickProps = {
  label: string;
  lines: readonly VersionLine[];
  now: number | null;
  value: number | null;
  onPick: (version: number) => void;
};

function Pick({ label, lines, now, value, onPick }: PickProps) {
  const isListed = value === null || lines.some((line) => line.version === value);
  return (
    <NativeSelect
      look="small"
      aria-label={label}
      value={value ?? ""}
      onChange={(event) => event.target.value !== "" && onPick(Number(event.target.value))}
    >
      {value === null && <option value="">Choose…</option>}
      {!isListed && <option value={value}>Version {value}</option>}
      {lines.map(({ version }) => (
        <option key={version} value={version}>
          {`Version ${version}${version === now ? ", now" : ""}`}
        </option>
      ))}
    </NativeSelect>
  );
}

/** A version of an agent as one text, for a comparison line by line: long texts as their lines, the rest as JSON. */
function draftText(draft: AgentDraft): string {
  return draftFields.flatMap((field) => linesOf(field, draft[field])).join("\n");
}

function linesOf(name: string, value: unknown): string[] {
  if (value === null || value === "") return [`${name}:`];
  if (typeof value === "string" && !/[\r\n]/.test(value)) return [`${name}: ${value}`];
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
  return [`${name}:`, ...text.split(/\r?\n/).map((line) => (line === "" ? "" : `  ${line}`))];
}
