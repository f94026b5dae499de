import { Link } from "@tanstack/react-router";
import { useApi } from "../../lib/api/api-context.tsx";
import { DeletedHere } from "../../lib/deletion/DeletedHere.tsx";
import { useDeleted } from "../../lib/deletion/deleted.ts";
import { sourceDeletion } from "../../lib/deletion/queries.ts";
import { buttonClass } from "../../ui/buttonClass.ts";
import { NotFoundForYou } from "../session/index.ts";

import { sourceNouns } from "./words.ts";

type Props = { sourceId: string; error: unknown; onRestored: () => void };

/** The service says that there is no such source: the person deleted it here and can restore it, or it is not there. */
export function SourceGone({ sourceId, error, onRestored }: Props) {
  const api = useApi();
  const deleted = useDeleted(sourceId);
  const all = (
    <Link to="/knowledge" className={buttonClass("plain")}>
      All sources
    </Link>
  );
  if (deleted === null)
    return (
      <NotFoundForYou what="knowledge source" id={sourceId} error={error} or="it was deleted" actions={all} />
    );
  return (
    <DeletedHere
      id={sourceId}
      deleted={deleted}
      nouns={sourceNouns}
      mutations={sourceDeletion(api)}
      onRestored={onRestored}
      actions={all}
    >
      Nobody and no agent finds anything of it any more.
    </DeletedHere>
  );
}
