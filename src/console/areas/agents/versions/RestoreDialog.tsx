import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useMemo, useRef, useState } from "react";
import type { Agent } from "../../../../contract/agents.ts";
import type { Received } from "../../../../contract/define.ts";
import { errorText } from "../../../api/describe-error.ts";
import { isConflict } from "../../../api/errors.ts";
import { useApi } from "../../../lib/api.tsx";
import { useKeptValue } from "../../../lib/drafts/useDraft.ts";
import { JsonView } from "../../../lib/json/JsonView.tsx";
import { useGoneSignal } from "../../../lib/useGoneSignal.ts";
import { Button } from "../../../ui/Button.tsx";
import { Dialog } from "../../../ui/Dialog.tsx";
import { useToast } from "../../../ui/Toast.tsx";
import { agentMutations, agentQueries, tellAgentNews } from "../../directory/index.ts";
import { ActionError } from "../AgentActions.tsx";
import { type AgentDraft, changedFields, draftOf, patchOf, unreadFields } from "../agent/agent-draft.ts";
import { compareAnswer, diffAgents } from "../agent/compare.ts";
import { agentDraftName, agentDrafts, readAgentDraft } from "../agent/draft-store.ts";
import { fieldTitle } from "../labels.ts";

type Props = {
  agentId: string;
  /** As it is now. */
  agent: Received<Agent>;
  name: string;
  /** The version to go back to, and what it says. */
  version: number;
  draft: AgentDraft;
  onClose: () => void;
};

/**
 * Goes back to an earlier version by making a new one of it: shows what would be sent, and sends it with the version last
 * read, so that nobody's newer change is overwritten. Or hands it to the editor as a draft, where a merge can follow.
 */
export function RestoreDialog({ agentId, agent, name, version, draft, onClose }: Props) {
  const api = useApi();
  const client = useQueryClient();
  const toaster = useToast();
  const navigate = useNavigate();
  const update = useMutation(agentMutations.update(api, agentId));
  const isSent = useRef(false);
  // What was looked at when the dialog opened: a change that comes meanwhile must be refused, not slip in.
  const [now] = useState({
    draft: draftOf(agent),
    version: agent.version ?? null,
    unread: unreadFields(agent),
  });
  const wanted = useMemo(() => keepUnread(now.draft, draft, now.unread), [now, draft]);
  const patch = useMemo(() => patchOf(now.draft, wanted, now.version), [now, wanted]);
  const fields = changedFields(now.draft, wanted);
  const unsendable = diffAgents(now.draft, draft)
    .map(({ field }) => field)
    .filter((field) => !fields.some((one) => one === field));
  const hasDraft = useKeptValue(agentDraftName(agentId), agentDrafts.read) !== null;

  const toEditor = async () => {
    // Another tab may have begun one since this was opened.
    await api.drafts.refresh(agentDraftName(agentId));
    if (readAgentDraft(api.drafts, agentId) === null) {
      const at = api.clock.now();
      await api.drafts.set(agentDraftName(agentId), {
        base: now.draft,
        baseVersion: now.version,
        mine: wanted,
        at,
        since: at,
      });
    }
    onClose();
    await navigate({ to: "/agents/$agentId/settings", params: { agentId } });
  };
  const gone = useGoneSignal();
  const restore = async () => {
    if (isSent.current) return;
    isSent.current = true;
    const closed = gone();
    try {
      const { data } = await update.mutateAsync(patch);
      tellAgentNews(api, { kind: "restored", agentId, at: api.clock.now() });
      const lost = compareAnswer(patch, data.agent).map(({ path }) => path);
      toaster.show({
        tone: lost.length === 0 ? "done" : "stopped",
        title: `Version ${version} restored${data.agent?.version == null ? "" : ` as version ${data.agent.version}`}`,
        ...(lost.length > 0 && {
          detail: `The service changed: ${lost.join(", ")}.`,
          duration: 15_000,
        }),
      });
      // Whoever closed it on the way is told, and stays where they are.
      if (closed.aborted) return;
      onClose();
      await navigate({ to: "/agents/$agentId/versions", params: { agentId }, replace: true });
    } catch (error) {
      isSent.current = false;
      if (isConflict(error)) {
        void client.invalidateQueries({ queryKey: agentQueries.one(api, agentId).queryKey });
        void client.invalidateQueries({ queryKey: agentQueries.versions(api, agentId).queryKey });
      }
      if (closed.aborted)
        toaster.show({
          tone: "failed",
          title: `Version ${version} not restored`,
          detail: errorText(error),
        });
    }
  };
  const isRefused = isConflict(update.error);
  const isNothing = fields.length === 0;
  return (
    <Dialog
      onClose={onClose}
      title={`Restore version ${version} of ${name}?`}
      description={
        isNothing
          ? "The agent already matches this version."
          : `This creates a new version${now.version === null ? "" : ` after version ${now.version}`}; all earlier versions stay. Team and access do not change.`
      }
      footerNote={hasDraft ? "Your draft of this agent stays." : undefined}
      footer={
        <>
          <Button variant={isRefused ? "plain" : "quiet"} onClick={() => void toEditor()}>
            {hasDraft ? "Open draft" : isRefused ? "Merge in editor" : "Open in editor"}
          </Button>
          <Button
            variant="primary"
            onClick={() => void restore()}
            loading={update.isPending}
            disabledReason={
              isNothing ? "No changes" : isRefused ? "The agent has changed; merge or start over" : undefined
            }
            reasonAs="title"
          >
            Restore
          </Button>
        </>
      }
    >
      {!isNothing && (
        <>
          <p className="mb-2">Changes {fields.map((field) => fieldTitle(field).toLowerCase()).join(", ")}.</p>
          <details className="rounded-control border">
            <summary className="cursor-default px-3 py-1.5 text-muted text-secondary">
              Request preview
            </summary>
            <div className="max-h-64 overflow-auto border-t px-3 py-2">
              <JsonView value={patch} label="Request preview" />
            </div>
          </details>
        </>
      )}
      {unsendable.length > 0 && (
        <p className="mt-2 text-muted">
          Does not change, because it can’t be sent:{" "}
          {unsendable.map((field) => fieldTitle(field).toLowerCase()).join(", ")}.
        </p>
      )}
      {update.isError && (
        <div className="mt-3">
          <ActionError error={update.error} what="The version was not restored" />
        </div>
      )}
    </Dialog>
  );
}

/** The wanted version, with those fields as they are now that could not be read whole: they cannot be sent. */
function keepUnread(now: AgentDraft, wanted: AgentDraft, unread: readonly (keyof AgentDraft)[]): AgentDraft {
  return { ...wanted, ...Object.fromEntries(unread.map((field) => [field, now[field]])) };
}
