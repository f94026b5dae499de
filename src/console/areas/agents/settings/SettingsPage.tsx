import { Link, useBlocker } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { isNotFound } from "../../../api/errors.ts";
import type { PageDraft } from "../../../lib/drafts/useDraft.ts";
import { Damage } from "../../../lib/failure/Damage.tsx";
import { ReadFailure } from "../../../lib/failure/Failure.tsx";
import { Stale } from "../../../lib/failure/Stale.tsx";
import { LiveStatus, Page } from "../../../lib/page/Page.tsx";
import { usePreferences } from "../../../lib/preferences/preferences.tsx";
import { shownName } from "../../../lib/shownName.ts";
import { useNow } from "../../../lib/time/clock.tsx";
import { formatAge, formatTime } from "../../../lib/time/format.ts";
import { Button } from "../../../ui/Button.tsx";
import { Dialog } from "../../../ui/Dialog.tsx";
import { SkeletonRows } from "../../../ui/SkeletonRows.tsx";
import { AgentGone, AgentMissing } from "../../directory/index.ts";
import { AgentActions } from "../AgentActions.tsx";
import { AgentMoved, AgentTabs } from "../AgentFrame.tsx";
import { onlyReads } from "../agent/agent-draft.ts";
import type { StoredAgentDraft } from "../agent/draft-store.ts";
import { useNoteVersion } from "../agent/seen-versions.ts";
import { ConflictView, MergeFoot, useAgentMerge } from "../conflict/ConflictView.tsx";
import { agentName } from "../labels.ts";
import type { SettingsSearch } from "../search.ts";
import { EditFoot } from "./SaveFoot.tsx";
import { SettingsEditor } from "./SettingsEditor.tsx";
import { ReadOnlyBand, TheirChanges } from "./SettingsNotices.tsx";
import { KeptDraft, SettingsText } from "./SettingsText.tsx";
import { useSettings } from "./useSettings.ts";

/** An agent's settings: everything that can be changed of it, and the merge where somebody else did so meanwhile. */
export function SettingsPage({ agentId, search }: { agentId: string; search: SettingsSearch }) {
  const settings = useSettings(agentId);
  const { agent, read, form, edit, newer, options, isGone } = settings;
  const name = agentName({ id: agentId, name: agent?.name });
  const merge = useAgentMerge(agentId, edit.draft, newer);
  useNoteVersion(agentId, agent ?? undefined);
  const isReader = onlyReads(agent);
  // Text, and no field that takes nothing.
  const isText = isReader || isGone || settings.refusal !== null;
  const isMerging = search.view === "merge" && merge !== null && !isText;
  const nextVersion = agent?.version == null || edit.draft === null || isText ? null : agent.version + 1;
  const toSettings = (
    <Link to="/agents/$agentId/settings" params={{ agentId }} search={{}}>
      Settings
    </Link>
  );
  const toAgent = (
    <Link to="/agents/$agentId" params={{ agentId }}>
      {shownName(name)}
    </Link>
  );
  return (
    <Page
      title={`${name}, ${isMerging ? "merge" : "settings"}${edit.draft && !isText ? ", edited" : ""}`}
      parents={[
        { key: "agents", link: <Link to="/agents">Agents</Link> },
        { key: "agent", link: toAgent },
        ...(isMerging ? [{ key: "settings", link: toSettings }] : []),
      ]}
      heading={isMerging ? "Merge" : "Settings"}
      live={
        <LiveStatus
          queryKey={options.queryKey}
          word={nextVersion === null ? undefined : `Watching for version ${nextVersion}`}
        />
      }
      foot={
        !form || !edit.isReady || isText ? undefined : isMerging ? (
          <MergeFoot agentId={agentId} settings={settings} form={form} merge={merge} />
        ) : (
          <EditFoot agentId={agentId} settings={settings} form={form} />
        )
      }
    >
      {agent && form && edit.isReady ? (
        <div className="flex min-h-0 flex-1 flex-col max-md:block max-md:min-h-fit">
          <header className="flex shrink-0 items-start gap-3 pt-3 pr-edge-right pb-1 pl-edge-left">
            <div className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-3">
              <h2 className="min-w-0 break-words text-title">
                <bdi>{shownName(name)}</bdi>
              </h2>
              <DraftLine edit={edit} version={agent.version ?? null} />
            </div>
            {!isGone && <AgentActions agent={agent} agentId={agentId} name={name} />}
          </header>
          <AgentTabs agentId={agentId} active="settings" versions={agent.version ?? undefined} />
          {isGone ? <AgentGone news={settings.news} of={read.queryKey} /> : <Stale query={read} />}
          {!isGone && <AgentMoved agentId={agentId} teamId={agent.team_id} news={settings.news} />}
          <Damage damage={read.data?.damage ?? []} />
          {!isGone && (
            <ReadOnlyBand
              isReader={isReader}
              refusal={settings.refusal}
              onTry={settings.forgetRefusal}
              unread={form.unread}
            />
          )}
          {isText ? (
            <div className="relative min-h-0 flex-1 overflow-y-auto">
              {edit.draft && <KeptDraft agentId={agentId} draft={edit.draft} onDiscard={edit.discard} />}
              <SettingsText agent={agent} />
            </div>
          ) : isMerging ? (
            <ConflictView agentId={agentId} form={form} merge={merge} search={search} />
          ) : (
            <SettingsEditor agent={agent} agentId={agentId} settings={settings} form={form} search={search} />
          )}
          <TheirChanges form={form} isOpen={search.see === "theirs" && !isText} />
        </div>
      ) : read.isError ? (
        <Unreadable agentId={agentId} settings={settings}>
          {edit.draft && <KeptDraft agentId={agentId} draft={edit.draft} onDiscard={edit.discard} />}
        </Unreadable>
      ) : (
        <SkeletonRows label="Loading the agent" rows={8} columns={["20px", "1fr", "2fr", "1fr"]} />
      )}
      <LeaveDialog agentId={agentId} edit={edit} />
    </Page>
  );
}

function Unreadable({
  agentId,
  settings: { read },
  children,
}: {
  agentId: string;
  settings: ReturnType<typeof useSettings>;
  children: ReactNode;
}) {
  return (
    <>
      {isNotFound(read.error) ? (
        <AgentMissing agentId={agentId} error={read.error} />
      ) : (
        <ReadFailure query={read} what="The agent" />
      )}
      {children}
    </>
  );
}

/** How old the draft is, on which version it began, and whether it is kept. */
function DraftLine({ edit, version }: { edit: PageDraft<StoredAgentDraft>; version: number | null }) {
  const { zone } = usePreferences();
  const { draft, keeping } = edit;
  const now = useNow(draft !== null);
  if (draft === null)
    return <p className="text-muted text-secondary">{version === null ? "" : `Version ${version}`}</p>;
  const since = draft.since ?? draft.at;
  return (
    <p className="text-muted text-secondary tabular-nums">
      Draft from{" "}
      <time dateTime={new Date(since).toISOString()}>{formatTime(since, { zone, now }, "minute")}</time>
      {draft.baseVersion !== null && ` on version ${draft.baseVersion}`},{" "}
      {keeping === "lost" ? (
        <span className="text-state-stopped-fg">not saved: this browser blocks storage</span>
      ) : keeping === "pending" ? (
        "saving"
      ) : (
        `saved on this device ${formatAge(now - draft.at)} ago`
      )}
    </p>
  );
}

type Props = {
  agentId: string;
  edit: PageDraft<StoredAgentDraft>;
};

/**
 * Asks before unsaved changes are left behind. The browser's own question comes only where they would be lost: a draft
 * that is kept is there again after closing the tab.
 */
function LeaveDialog({ agentId, edit }: Props) {
  const hasDraft = edit.draft !== null;
  const isLost = hasDraft && edit.keeping === "lost";
  const blocker = useBlocker({
    shouldBlockFn: ({ next }) =>
      hasDraft &&
      next.pathname !== `/agents/${encodeURIComponent(agentId)}/settings` &&
      next.pathname !== `/agents/${agentId}/settings` &&
      next.pathname !== "/sign-in",
    enableBeforeUnload: () => isLost,
    withResolver: true,
  });
  if (blocker.status !== "blocked") return null;
  return (
    <Dialog
      isOpen
      isNarrow
      onOpenChange={(isOpen) => !isOpen && blocker.reset()}
      title="Leave without saving?"
      description={
        isLost
          ? "This browser blocks storage, so your changes will be lost."
          : "Your changes stay on this device as a draft, for when you come back."
      }
      footer={
        <>
          <Button
            variant="danger"
            onClick={() => {
              edit.discard();
              blocker.proceed();
            }}
          >
            Discard and leave
          </Button>
          {!isLost && <Button onClick={blocker.proceed}>Leave and keep draft</Button>}
          <Button variant="primary" onClick={blocker.reset}>
            Stay
          </Button>
        </>
      }
    />
  );
}
