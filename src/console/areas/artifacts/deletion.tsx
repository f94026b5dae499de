import { useMemo } from "react";
import type { Api } from "../../lib/api.tsx";
import { useApi } from "../../lib/api.tsx";
import { DeleteDialog } from "../../lib/deletion/DeleteDialog.tsx";
import { artifactDeletion } from "../../lib/deletion/queries.ts";
import type { Named } from "../../lib/deletion/useDeletion.ts";
import type { ArtifactIn } from "./queries.ts";

type Props = {
  artifacts: readonly Named[];
  onClose: () => void;
  onDeleted: () => void;
};

/** Asks before artifacts are deleted. */
export function DeleteArtifacts({ artifacts, onClose, onDeleted }: Props) {
  const api = useApi();
  const mutations = useMemo(() => artifactDeletion(api), [api]);
  const its = artifacts.length === 1 ? "Its" : "Their";
  return (
    <DeleteDialog
      items={artifacts}
      nouns={artifactNouns}
      mutations={mutations}
      onClose={onClose}
      onDeleted={onDeleted}
      follows={
        <>
          <li>All versions are deleted too.</li>
          <li>{its} links and shares stop working for everyone.</li>
          <li>
            Agents and flows can no longer read {its === "Its" ? "it" : "them"}. Messages in the conversation
            stay.
          </li>
        </>
      }
    />
  );
}

/** What artifacts are called where they are deleted. */
export const artifactNouns = { one: "artifact", many: "artifacts" } as const;

/**
 * Whether the caller is likely to be let: artifacts are their creator's to delete. Of what has no creator, and with a
 * team's key, only the service knows.
 */
export function isDeletable(row: Pick<ArtifactIn, "creator">, who: Api["who"]): boolean {
  const creator = row.creator?.id ?? null;
  return who.kind === "team" || creator === null || creator === who.userId;
}
