import { useQuery } from "@tanstack/react-query";
import type { Artifact } from "../../../contract/artifacts.ts";
import type { Received } from "../../../contract/define.ts";
import { artifactAccessQueries } from "../../api/queries/artifact-access.ts";
import { Dialog } from "../../ui/Dialog.tsx";
import { SkeletonRows } from "../../ui/SkeletonRows.tsx";
import { useApi } from "../api-context.tsx";
import { Failure } from "../failure/Failure.tsx";
import { readAccess } from "./access.ts";
import { Sentence } from "./Sentence.tsx";
import { useTeams } from "./useTeams.ts";
import { whoSees } from "./words.ts";

type Props = { artifact: Received<Artifact>; artifactId: string; onClose: () => void };

/** Who may open an artifact. */
export default function ShareDialog({ artifact, artifactId, onClose }: Props) {
  const read = useQuery(artifactAccessQueries.one(useApi(), artifactId));
  const { nameOf } = useTeams();
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={<>Share {artifact.filename ?? artifactId}</>}
    >
      {read.data ? (
        <p>
          <Sentence pieces={whoSees(readAccess(read.data.data.access), nameOf)} />
        </p>
      ) : read.isError ? (
        <Failure error={read.error} what="Who may open it" onRetry={() => void read.refetch()} />
      ) : (
        <SkeletonRows rows={3} columns={["14px", "1fr", "80px"]} label="Reading who may open it" />
      )}
    </Dialog>
  );
}
