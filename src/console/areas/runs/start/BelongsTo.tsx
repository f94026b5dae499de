import { NativeSelect } from "../../../ui/NativeSelect.tsx";
import { Segmented } from "../../../ui/Segmented.tsx";
import { teamName, useSignedIn } from "../../session/index.ts";

type Props = { projectId: string | null; onChange: (projectId: string | null) => void };

/** Whose the run will be: only the person's, or a team's, so that its members may see, stop and download it. */
export function BelongsTo({ projectId, onChange }: Props) {
  const as = useSignedIn();
  const { credential } = as;
  const teams =
    as.teams ?? (credential.teamId === null ? [] : [{ id: credential.teamId, name: credential.teamId }]);
  const name = teams.find((team) => team.id === projectId)?.name ?? projectId;
  const isFixed = credential.kind === "team";
  return (
    <section aria-label="Belongs to" className="shrink-0 border-t px-edge-left py-3.5">
      <div className="flex items-center justify-between gap-3">
        <h2 className="font-semibold">Belongs to</h2>
        {isFixed ? (
          <span className="text-muted">{teamName(as) ?? "the key’s team"}</span>
        ) : teams.length === 0 ? (
          <span className="text-muted">Only you</span>
        ) : teams.length === 1 ? (
          <Segmented
            label="Belongs to"
            options={[
              { value: "", label: "Only you" },
              { value: teams[0]?.id ?? "", label: teams[0]?.name ?? "" },
            ]}
            value={projectId ?? ""}
            onChange={(value) => onChange(value === "" ? null : value)}
          />
        ) : (
          <NativeSelect
            look="small"
            aria-label="Belongs to"
            value={projectId ?? ""}
            onChange={(event) => onChange(event.target.value === "" ? null : event.target.value)}
          >
            <option value="">Only you</option>
            {teams.map((team) => (
              <option key={team.id} value={team.id}>
                {team.name}
              </option>
            ))}
          </NativeSelect>
        )}
      </div>
      <p className="pt-1.5 text-muted text-secondary">
        {projectId === null && !isFixed
          ? "Only you may see, stop and download it. All nodes use your own connections."
          : `All members of ${name ?? "the team"} may see, stop and download it. Nodes set to “team” use its connections, the others yours.`}
      </p>
    </section>
  );
}
