import { NativeSelect } from "../../ui/NativeSelect.tsx";
import { Tooltip } from "../../ui/Tooltip.tsx";
import { teamName, useSignedIn } from "../session/index.ts";

type Props = { projectId: string | null; onChange: (projectId: string | null) => void };

/** Whose the conversation will be: only the person's, or a team's, so that its members may read and continue it. */
export function BelongsTo({ projectId, onChange }: Props) {
  const as = useSignedIn();
  const { credential } = as;
  const teams =
    as.teams ?? (credential.teamId === null ? [] : [{ id: credential.teamId, name: credential.teamId }]);
  if (credential.kind === "team") return <span>For {teamName(as) ?? "the key’s team"}</span>;
  if (teams.length === 0) return <span>For you only</span>;
  return (
    <Tooltip content="A conversation of a team may be read and continued by all of its members.">
      <NativeSelect
        look="small"
        aria-label="Who may read and continue it"
        value={projectId ?? ""}
        onChange={(event) => onChange(event.target.value === "" ? null : event.target.value)}
      >
        <option value="">For you only</option>
        {teams.map((team) => (
          <option key={team.id} value={team.id}>
            For {team.name}
          </option>
        ))}
      </NativeSelect>
    </Tooltip>
  );
}
