import { Link, useBlocker } from "@tanstack/react-router";
import { useEffect } from "react";
import type { PageDraft } from "../../../lib/drafts/useDraft.ts";
import { useFocusKept } from "../../../lib/page/useFocusKept.ts";
import { usePreferences } from "../../../lib/preferences/preferences.tsx";
import { useMissingRight } from "../../../lib/rights/rights.ts";
import { useNow } from "../../../lib/time/clock.tsx";
import { formatAge } from "../../../lib/time/format.ts";
import { formatTime } from "../../../lib/time/format-time.ts";
import { Button } from "../../../ui/Button.tsx";
import { Dialog } from "../../../ui/Dialog.tsx";
import { SkeletonRows } from "../../../ui/SkeletonRows.tsx";
import { AgentFrame } from "../AgentFrame.tsx";
import { onlyReads } from "../agent/agent-draft.ts";
import type { StoredAgentDraft } from "../agent/draft-store.ts";
import { ConflictView, MergeFoot, useAgentMerge } from "../conflict/ConflictView.tsx";
import type { SettingsSearch } from "../search.ts";
import { EditFoot } from "./SaveFoot.tsx";
import { SettingsEditor } from "./SettingsEditor.tsx";
import { ReadOnlyBand, TheirChanges } from "./SettingsNotices.tsx";
import { KeptDraft, SettingsText } from "./SettingsText.tsx";
import { useSettings } from "./useSettings.ts";

/** An agent's settings: everything that can be changed of it, and the merge where somebody else did so meanwhile. */
export function SettingsPage({ agentId, search }: { agentId: string; search: SettingsSearch }) {
  const settings = useSettings(agentId);
  const { agent, form, edit, newer, refusal } = settings;
  const { draft } = edit;
  const merge = useAgentMerge(agentId, draft, newer);
  const missing = useMissingRight(agent?.team_id, "edit");
  const isReader = onlyReads(agent) || missing !== undefined;
  // Text, and no field that takes nothing.
  const isText = isReader || settings.isGone || refusal !== null;
  const isMerging = search.view === "merge" && merge !== null && !isText;
  useFocusKept(isMerging ? "merge" : isText ? "text" : "settings");
  const nextVersion = agent?.version == null || draft === null || isText ? null : agent.version + 1;
  const kept = draft && <KeptDraft agentId={agentId} draft={draft} onDiscard={edit.discard} />;
  const toSettings = (
    <Link to="/agents/$agentId/settings" params={{ agentId }} search={{}}>
      Settings
    </Link>
  );
  return (
    <>
      <AgentFrame
        agentId={agentId}
        active="settings"
        part={`${isMerging ? "merge" : "settings"}${draft && !isText ? ", edited" : ""}`}
        crumb={isMerging ? "Merge" : "Settings"}
        above={isMerging ? [{ key: "settings", link: toSettings }] : []}
        liveWord={nextVersion === null ? undefined : `Watching for version ${nextVersion}`}
        {...(draft !== null && edit.isReady && { facts: <DraftLine draft={draft} keeping={edit.keeping} /> })}
        isEdited={draft !== null}
        left={kept}
        className="flex min-h-0 flex-1 flex-col max-md:block max-md:min-h-fit"
        foot={
          !form || !edit.isReady || isText ? undefined : isMerging ? (
            <MergeFoot settings={settings} form={form} merge={merge} />
          ) : (
            <EditFoot settings={settings} form={form} />
          )
        }
      >
        {(agent, _name, isGone) => (
          <>
            {form && !isGone && (
              <ReadOnlyBand
                isReader={isReader}
                missing={missing}
                refusal={refusal}
                onTry={settings.forgetRefusal}
                unread={form.unread}
              />
            )}
            {!form || !edit.isReady ? (
              <SkeletonRows label="Loading the agent" rows={8} columns={["20px", "1fr", "2fr", "1fr"]} />
            ) : isText ? (
              <div className="relative min-h-0 flex-1 overflow-y-auto">
                {kept}
                <SettingsText agent={agent} />
              </div>
            ) : isMerging ? (
              <ConflictView form={form} merge={merge} search={search} />
            ) : (
              <SettingsEditor agent={agent} settings={settings} form={form} search={search} />
            )}
            {form && <TheirChanges form={form} isOpen={search.see === "theirs" && !isText} />}
          </>
        )}
      </AgentFrame>
      <LeaveDialog agentId={agentId} edit={edit} />
    </>
  );
}

/** How old the draft is, on which version it began, and whether it is kept. */
function DraftLine({ draft, keeping }: { draft: NonNullable<Edit["draft"]>; keeping: Edit["keeping"] }) {
  const { zone } = usePreferences();
  const now = useNow(true);
  const since = draft.since ?? draft.at;
  return (
    <span className="tabular-nums">
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
    </span>
  );
}

type Edit = PageDraft<StoredAgentDraft>;

/**
 * Asks before unsaved changes are left behind. The browser's own question comes only where they would be lost: a draft
 * that is kept is there again after closing the tab.
 */
function LeaveDialog({ agentId, edit }: { agentId: string; edit: Edit }) {
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
  const { status, proceed } = blocker;
  useEffect(() => {
    // What was asked about was saved while the question stood.
    if (status === "blocked" && !hasDraft) proceed();
  }, [status, hasDraft, proceed]);
  if (blocker.status !== "blocked") return null;
  return (
    <Dialog
      isNarrow
      onClose={() => blocker.reset()}
      title="Leave without saving?"
      description={
        isLost
          ? "This browser blocks storage, so your changes will be lost."
          : "Your changes stay on this device as a draft, for when you come back."
      }
      footer={
        <div className="flex flex-wrap justify-end gap-3">
          {/* First, so that the focus goes to what loses nothing. */}
          <Button onClick={blocker.reset}>Stay</Button>
          {!isLost && <Button onClick={blocker.proceed}>Leave and keep draft</Button>}
          <Button
            variant="danger"
            onClick={() => {
              edit.discard();
              blocker.proceed();
            }}
          >
            Discard and leave
          </Button>
        </div>
      }
    />
  );
}
