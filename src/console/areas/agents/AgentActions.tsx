import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import Archive from "lucide-react/icons/archive";
import Copy from "lucide-react/icons/copy";
import Users from "lucide-react/icons/users";
import { useState } from "react";
import { type Agent, type AgentChange, agentAliases } from "../../../contract/agents.ts";
import type { Received } from "../../../contract/define.ts";
import { describeError } from "../../api/describe-error.ts";
import { ConsoleError, isConflict, isNotFound } from "../../api/errors.ts";
import { AdminItems } from "../../lib/admin-links/AdminLinks.tsx";
import { useApi, useCan } from "../../lib/api.tsx";
import { Refusal } from "../../lib/failure/Failure.tsx";
import { useMissingRight, useTeamsWith } from "../../lib/rights/rights.ts";
import { ConfirmDialog } from "../../ui/Dialog.tsx";
import { Field, NativeSelect } from "../../ui/Field.tsx";
import { Input } from "../../ui/Input.tsx";
import { MenuItem, MenuLabel, MenuSeparator, MoreMenu } from "../../ui/Menu.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { type ToastMessage, useToast } from "../../ui/Toast.tsx";
import { type AgentNews, agentMutations, agentQueries, tellAgentNews } from "../directory/index.ts";
import { useSignedIn } from "../session/index.ts";
import { onlyReads } from "./agent/agent-draft.ts";
import { nameToType, useTeamName } from "./labels.ts";

type Props = { agent: Received<Agent>; agentId: string; name: string };

/** What can be done with an agent as a whole: a copy, another team, the end. */
export function AgentActions({ agent, agentId, name }: Props) {
  const [open, setOpen] = useState<"retire" | "transfer" | null>(null);
  const canCreate = useCan("agent_create");
  const { who } = useApi();
  const navigate = useNavigate();
  // One's own two agents belong to nobody else (§2.10), and a team's key has no other team.
  const missing = useMissingRight(agent.team_id, "edit");
  const isReader = onlyReads(agent) || missing !== undefined;
  const canTransfer = !isReader && who.kind !== "team" && !agentAliases.some((alias) => alias === agentId);
  if (isReader && !canCreate) return null;
  const dialog = { agent, agentId, name, onClose: () => setOpen(null) };
  return (
    <>
      <MoreMenu variant="plain">
        {canCreate && (
          <MenuItem
            icon={<Copy />}
            onSelect={() => void navigate({ to: "/agents/new", search: { from: agentId } })}
          >
            Make a copy
          </MenuItem>
        )}
        {canTransfer && (
          <MenuItem icon={<Users />} onSelect={() => setOpen("transfer")}>
            Transfer to a team…
          </MenuItem>
        )}
        <AdminItems kind="agent" id={agentId} icons />
        {!isReader && (canCreate || canTransfer) && <MenuSeparator />}
        {missing !== undefined && (
          <>
            <MenuSeparator />
            <MenuLabel>Change, transfer, retire: {missing}</MenuLabel>
          </>
        )}
        {!isReader && (
          <MenuItem icon={<Archive />} isDanger onSelect={() => setOpen("retire")}>
            Retire agent…
          </MenuItem>
        )}
      </MoreMenu>
      {open === "retire" && <RetireDialog {...dialog} />}
      {open === "transfer" && <TransferDialog {...dialog} />}
    </>
  );
}

type DialogProps = { agent: Received<Agent>; agentId: string; name: string; onClose: () => void };

/** Asks before an agent is retired: what that does, whom it reaches, what would be milder; its name has to be typed. */
function RetireDialog(props: DialogProps) {
  const { agent, name } = props;
  const navigate = useNavigate();
  const team = useTeamName(agent.team_id);
  const { dialog, send } = useAction(props, "The agent was not retired");
  const retire = () =>
    send(
      { is_active: false },
      "retired",
      {
        tone: "stopped",
        title: `${name} retired`,
        detail: "Running turns finish; new messages are refused.",
      },
      () => void navigate({ to: "/agents" }),
    );
  return (
    <ConfirmDialog
      {...dialog}
      title={`Retire ${name}?`}
      consequence="This can’t be undone. A retired agent can’t be brought back, not even through the API."
      action="Retire agent"
      onConfirm={retire}
    >
      <ul className="grid list-disc gap-1 pl-5 text-muted marker:text-faint">
        <li>
          It disappears from {team === null ? "your lists" : `the lists of everyone in ${team}`}. Requests for
          it get a 404.
        </li>
        <li>Running turns finish. Its conversations and files stay readable.</li>
        <li>New messages are refused, including those from flows and programs.</li>
        <li>{triggerWords(agent.active_trigger_count)}</li>
      </ul>
    </ConfirmDialog>
  );
}

function triggerWords(count: number | null | undefined): string {
  const milder = "To stop only automatic starts, turn off its triggers where they were created";
  if (count == null) return `${milder}.`;
  if (count === 0) return "It has no active triggers; only people, flows and programs start it.";
  const triggers =
    count === 1
      ? "Its active trigger no longer starts it"
      : `Its ${count} active triggers no longer start it`;
  return `${triggers}. ${milder}; the agent then stays available.`;
}

/** Gives an agent to a team: which one, who has it then and who no longer, and what does not go with it. */
function TransferDialog(props: DialogProps) {
  const { agent, name } = props;
  const { teams } = useSignedIn();
  const from = useTeamName(agent.team_id);
  const [teamId, setTeamId] = useState("");
  const to = teamId.trim() === "" ? null : teamId.trim();
  const toName = teams?.find((team) => team.id === to)?.name ?? to;
  const known = useTeamsWith(teams, "edit");
  const others = teams === null ? null : known.teams.filter((team) => team.id !== agent.team_id);
  const { dialog, send } = useAction(props, "The agent was not transferred");
  const isNowhere = others?.length === 0;
  const { nameToType: _, ...unnamed } = dialog;
  return (
    <ConfirmDialog
      {...(isNowhere ? unnamed : dialog)}
      title={`Transfer ${name} to a team?`}
      consequence={
        from === null
          ? "Only you own it now. After the transfer it can go to another team, but not back to one person."
          : `It currently belongs to ${from}.`
      }
      action="Transfer agent"
      disabledReason={
        isNowhere ? "There is no team to transfer it to" : to === null ? "Choose a team first" : undefined
      }
      onConfirm={() => {
        const title = `${name} transferred to ${toName ?? "the team"}`;
        if (to !== null) send({ team_id: to }, "transferred", { tone: "done", title });
      }}
    >
      {isNowhere ? (
        <p className="text-muted">
          {known.leftOut ?? `You are not in ${from === null ? "a" : "another"} team.`}
        </p>
      ) : (
        <Field
          label="Team"
          hint={others === null ? "This service does not list teams. Enter the team ID." : known.leftOut}
        >
          {others === null ? (
            <Input isMono value={teamId} onChange={(event) => setTeamId(event.target.value)} />
          ) : (
            <NativeSelect value={teamId} onChange={(event) => setTeamId(event.target.value)}>
              <option value="">Choose a team</option>
              {others.map((team) => (
                <option key={team.id} value={team.id}>
                  {team.name}
                </option>
              ))}
            </NativeSelect>
          )}
        </Field>
      )}
      {!isNowhere && (
        <ul className="grid list-disc gap-1 pl-5 text-muted marker:text-faint">
          <li>
            Everyone in {toName ?? "the team"} will be able to see it with all its versions, use and change
            it, and transfer or retire it.
          </li>
          <li>
            {from === null
              ? "You keep access as a member of the team."
              : `People who are only in ${from} lose access: their messages to it are refused.`}
          </li>
          <li>Conversations stay with their owners; running turns finish.</li>
        </ul>
      )}
    </ConfirmDialog>
  );
}

/**
 * A change of the whole agent, and the dialog that asks for it. It names the version last read; refused, the dialog asks
 * about the agent as it is now.
 * @param what what was not done, where it was not
 */
function useAction({ agent, agentId, onClose }: DialogProps, what: string) {
  const api = useApi();
  const client = useQueryClient();
  const toaster = useToast();
  const update = useMutation(agentMutations.update(api, agentId));
  const send = (change: AgentChange, kind: AgentNews["kind"], toast: ToastMessage, after?: () => void) =>
    update.mutate(
      { ...change, ...(agent.version != null && { version: agent.version }) },
      {
        onSuccess: () => {
          tellAgentNews(api, { kind, agentId, at: api.clock.now() });
          onClose();
          toaster.show(toast);
          after?.();
        },
        onError: (error) => {
          if (isConflict(error))
            void client.invalidateQueries({ queryKey: agentQueries.one(api, agentId).queryKey });
        },
      },
    );
  const dialog = {
    // What came of it is said here.
    onClose: () => !update.isPending && onClose(),
    nameToType: nameToType(agent, agentId),
    isPending: update.isPending,
    error: update.isError && <ActionError error={update.error} what={what} />,
  };
  return { dialog, send };
}

/** The number of the version that refused an action (409 `agent_version_conflict`); null where it was not said. */
function currentVersionOf(error: unknown): number | null {
  if (!(error instanceof ConsoleError) || error.failure.kind !== "http") return null;
  const { details } = error.failure;
  if (typeof details !== "object" || details === null || !("current_version" in details)) return null;
  return typeof details.current_version === "number" ? details.current_version : null;
}

/** Why an action on an agent was not done. `what` says which, as a sentence without its end. */
export function ActionError({ error, what }: { error: unknown; what: string }) {
  const words = describeError(error);
  const version = currentVersionOf(error);
  const text = isConflict(error)
    ? `Someone changed the agent in the meantime${version === null ? "" : `; it is now at version ${version}`}. Nothing was done. Review their changes, then try again.`
    : isNotFound(error)
      ? `${words.what} You no longer have access to the agent, or to something it refers to.`
      : `${words.what} ${words.means} ${words.next}`;
  return (
    <Notice kind="failed" look="box" title={what}>
      {text} <Refusal error={error} />
    </Notice>
  );
}
