import { useMemo } from "react";
import { useApi } from "../../lib/api/api-context.tsx";
import { DeleteDialog } from "../../lib/deletion/DeleteDialog.tsx";
import { artifactDeletion } from "../../lib/deletion/queries.ts";
import type { Named } from "../../lib/deletion/useDeletion.ts";
import { artifactNouns } from "./deletable.ts";

type Props = {
  artifacts: readonly Named[];
  onClose: () => void;
  onDeleted: () => void;
};

/** Asks before artifacts are deleted. */
export default function DeleteArtifacts({ artifacts, onClose, onDeleted }: Props) {
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
          <li>{its} versions go with it.</li>
          <li>{its} links and shares end at once: they no longer work for anybody.</li>
          <li>Agents and flows can no longer read it. What was said in the conversation stays.</li>
        </>
      }
    />
  );
}
