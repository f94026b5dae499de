import { useMemo } from "react";
import { useApi } from "../../lib/api.tsx";
import { DeleteDialog, DeletedHere } from "../../lib/deletion/DeleteDialog.tsx";
import { sourceDeletion } from "../../lib/deletion/queries.ts";
import { useDeleted } from "../../lib/deletion/useDeletion.ts";
import { LinkButton } from "../../lib/page/LinkButton.tsx";
import { NotFoundForYou } from "../session/index.ts";
import { creditWords, type SourceIn, sourceName, sourceNouns } from "./sources.ts";

type Props = { sources: readonly SourceIn[]; onClose: () => void; onDeleted: () => void };

/** Asks before knowledge sources are deleted. */
export function DeleteSources({ sources, onClose, onDeleted }: Props) {
  const api = useApi();
  const mutations = useMemo(() => sourceDeletion(api), [api]);
  const isOne = sources.length === 1;
  const files = sources.reduce((sum, one) => sum + (one.document_count ?? 0), 0);
  const charged = sources.reduce((sum, one) => sum + (one.charged_credits ?? 0), 0);
  const drafts = sources.filter(({ status }) => status === "draft").length;
  return (
    <DeleteDialog
      items={sources.map((source) => ({ id: source.id, name: sourceName(source) }))}
      nouns={sourceNouns}
      mutations={mutations}
      onClose={onClose}
      onDeleted={onDeleted}
      follows={
        <>
          <li>
            {files === 0
              ? `${isOne ? "It has" : "They have"} no files.`
              : `${isOne ? "Its" : "Their"} ${files === 1 ? "file" : `${files} files`} and index are deleted too.`}
          </li>
          {drafts < sources.length && (
            <li>People, agents and flows can no longer search {isOne ? "it" : "them"}.</li>
          )}
          {drafts > 0 && (
            <li>
              {drafts === sources.length ? "Nothing is charged. " : ""}Pending{" "}
              {drafts === 1 ? "approval is" : "approvals are"} cancelled.
            </li>
          )}
          {charged > 0 && <li>The {creditWords(charged)} already charged are not refunded.</li>}
        </>
      }
    />
  );
}

type SourceGoneProps = { sourceId: string; error: unknown; onRestored: () => void };

/** The service says that there is no such source: the person deleted it here and can restore it, or it is not there. */
export function SourceGone({ sourceId, error, onRestored }: SourceGoneProps) {
  const api = useApi();
  const deleted = useDeleted(sourceId);
  if (deleted === null)
    return (
      <NotFoundForYou
        what="knowledge source"
        id={sourceId}
        error={error}
        or="was deleted,"
        actions={<AllSources />}
      />
    );
  return (
    <DeletedHere
      id={sourceId}
      deleted={deleted}
      nouns={sourceNouns}
      mutations={sourceDeletion(api)}
      onRestored={onRestored}
      actions={<AllSources />}
    >
      People and agents can no longer search it.
    </DeletedHere>
  );
}

/** The way back, where a source is not there. */
export function AllSources({ size = "normal" }: { size?: "normal" | "small" }) {
  return (
    <LinkButton to="/knowledge" size={size}>
      All sources
    </LinkButton>
  );
}
