import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Agent } from "../../../../contract/agents.ts";
import type { Received } from "../../../../contract/define.ts";
import { isConflict } from "../../../api/errors.ts";
import { useApi } from "../../../lib/api/api-context.tsx";
import { ConfirmDialog } from "../../../ui/ConfirmDialog.tsx";
import { Field } from "../../../ui/Field.tsx";
import { Input } from "../../../ui/Input.tsx";
import { NativeSelect } from "../../../ui/NativeSelect.tsx";
import { useToast } from "../../../ui/toastContext.ts";
import { agentMutations, agentQueries, tellAgentNews } from "../../directory/index.ts";
import { useSignedIn } from "../../session/index.ts";

import { ActError } from "../ActError.tsx";
import { nameToType } from "../name-to-type.ts";
import { useTeamName } from "../useTeamName.ts";

type Props = { agent: Received<Agent>; agentId: string; name: string; onClose: () => void };

/** Gives an agent to a team: which one, who has it then and who no longer, and what does not go with it. */
export default function TransferDialog({ agent, agentId, name, onClose }: Props) {
  const api = useApi();
  const client = useQueryClient();
  const toaster = useToast();
  const { teams } = useSignedIn();
  const from = useTeamName(agent.team_id);
  const [teamId, setTeamId] = useState("");
  const to = teamId.trim() === "" ? null : teamId.trim();
  const toName = teams?.find((team) => team.id === to)?.name ?? to;
  const others = teams?.filter((team) => team.id !== agent.team_id) ?? null;
  const update = useMutation(agentMutations.update(api, agentId));
  const transfer = () => {
    if (to === null) return;
    update.mutate(
      { team_id: to, ...(agent.version != null && { version: agent.version }) },
      {
        onSuccess: () => {
          tellAgentNews(api, { kind: "transferred", agentId, at: api.clock.now() });
          onClose();
          toaster.show({ tone: "done", title: `${name} belongs to ${toName ?? "the team"} now` });
        },
        onError: (error) => {
          if (isConflict(error))
            void client.invalidateQueries({ queryKey: agentQueries.one(api, agentId).queryKey });
        },
      },
    );
  };
  const isNowhere = others?.length === 0;
  return (
    <ConfirmDialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={`Transfer ${name} to a team?`}
      consequence={
        from === null
          ? "It is yours alone now. It cannot be given back to one person afterwards, only to another team."
          : `It belongs to ${from} now.`
      }
      action="Transfer agent"
      {...(!isNowhere && { nameToType: nameToType(agent, agentId) })}
      disabledReason={isNowhere ? "There is no other team" : to === null ? "Choose a team first" : undefined}
      isPending={update.isPending}
      onConfirm={transfer}
      error={update.isError && <ActError error={update.error} what="The agent was not transferred" />}
    >
      {isNowhere ? (
        <p className="text-muted">You are in no {from === null ? "" : "other "}team that it could go to.</p>
      ) : (
        <Field
          label="Team"
          hint={others === null ? "This service lists no teams: write the team's id." : undefined}
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
            Everybody in {toName ?? "the team"} then sees it with all its versions, talks to it, changes it,
            and may transfer or retire it.
          </li>
          <li>
            {from === null
              ? "You keep it as a member of the team."
              : `Whoever is only in ${from} loses it: their messages to it are refused.`}
          </li>
          <li>Conversations stay with whom they belong to; turns that are at work finish.</li>
        </ul>
      )}
    </ConfirmDialog>
  );
}
