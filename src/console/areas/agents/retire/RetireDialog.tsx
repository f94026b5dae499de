import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { Agent } from "../../../../contract/agents.ts";
import type { Received } from "../../../../contract/define.ts";
import { isConflict } from "../../../api/errors.ts";
import { useApi } from "../../../lib/api/api-context.tsx";
import { ConfirmDialog } from "../../../ui/ConfirmDialog.tsx";
import { useToast } from "../../../ui/toastContext.ts";
import { agentMutations, agentQueries, tellAgentNews } from "../../directory/index.ts";

import { ActError } from "../ActError.tsx";
import { nameToType } from "../name-to-type.ts";
import { useTeamName } from "../useTeamName.ts";

type Props = { agent: Received<Agent>; agentId: string; name: string; onClose: () => void };

/** Asks before an agent is retired: what that does, whom it reaches, what would be milder; its name has to be typed. */
export default function RetireDialog({ agent, agentId, name, onClose }: Props) {
  const api = useApi();
  const client = useQueryClient();
  const toaster = useToast();
  const navigate = useNavigate();
  const team = useTeamName(agent.team_id);
  const update = useMutation(agentMutations.update(api, agentId));
  const retire = () =>
    update.mutate(
      { is_active: false, ...(agent.version != null && { version: agent.version }) },
      {
        onSuccess: () => {
          tellAgentNews(api, { kind: "retired", agentId, at: api.clock.now() });
          onClose();
          toaster.show({
            tone: "stopped",
            title: `${name} is retired`,
            detail: "Turns that were at work finish; it takes no new messages.",
          });
          void navigate({ to: "/agents" });
        },
        onError: (error) => {
          // The dialog then asks about the agent as it is now.
          if (isConflict(error))
            void client.invalidateQueries({ queryKey: agentQueries.one(api, agentId).queryKey });
        },
      },
    );
  return (
    <ConfirmDialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={`Retire ${name}?`}
      consequence="This cannot be undone, and it is no pause: no call of the interface brings a retired agent back."
      action="Retire agent"
      nameToType={nameToType(agent, agentId)}
      isPending={update.isPending}
      onConfirm={retire}
      error={update.isError && <ActError error={update.error} what="The agent was not retired" />}
    >
      <ul className="grid list-disc gap-1 pl-5 text-muted marker:text-faint">
        <li>
          It goes from {team === null ? "your lists" : `the lists of everybody in ${team}`}. Reading or
          changing it is answered with 404.
        </li>
        <li>Turns that are at work finish. Its conversations and files stay readable.</li>
        <li>New messages are refused, also from flows and programs that start it.</li>
        <li>{triggerWords(agent.active_trigger_count)}</li>
      </ul>
    </ConfirmDialog>
  );
}

function triggerWords(count: number | null | undefined): string {
  const milder = "To only stop it from starting by itself, switch its triggers off where they are made";
  if (count == null) return `${milder}.`;
  if (count === 0) return "It has no active triggers, so nothing starts it but people, flows and programs.";
  const triggers = count === 1 ? "Its 1 active trigger starts" : `Its ${count} active triggers start`;
  return `${triggers} it no more. ${milder}: it then stays reachable.`;
}
