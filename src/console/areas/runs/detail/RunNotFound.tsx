import { useDeletedWords, useDeletionWords } from "../../../lib/keep/deletion.ts";
import { LinkButton } from "../../../lib/page/LinkButton.tsx";
import { NotFoundForYou } from "../../session/index.ts";

/** A run that does not exist, does no more, or that this key may not see: the service does not tell which. */
export function RunNotFound({ runId, error }: { runId: string; error: unknown }) {
  const deleted = useDeletedWords("run", runId);
  const remark = useDeletionWords("runs", true);
  return (
    <NotFoundForYou
      what="run"
      id={runId}
      error={error}
      deleted={deleted}
      {...(remark !== null && { or: "was deleted,", remark })}
      actions={<LinkButton to="/runs">All runs</LinkButton>}
    />
  );
}
