import { useMemo } from "react";
import { useApi } from "../../lib/api/api-context.tsx";
import { DeleteDialog } from "../../lib/deletion/DeleteDialog.tsx";
import { sourceDeletion } from "../../lib/deletion/queries.ts";
import { creditWords, type SourceIn, sourceName } from "./sources.ts";
import { sourceNouns } from "./words.ts";

type Props = { sources: readonly SourceIn[]; onClose: () => void; onDeleted: () => void };

/** Asks before knowledge sources are deleted. */
export default function DeleteSources({ sources, onClose, onDeleted }: Props) {
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
              : `${isOne ? "Its" : "Their"} ${files === 1 ? "file goes" : `${files} files go`} with ${isOne ? "it" : "them"}, and everything that was indexed.`}
          </li>
          {drafts < sources.length && (
            <li>People, agents and flows find nothing of {isOne ? "it" : "them"} any more, at once.</li>
          )}
          {drafts > 0 && (
            <li>
              {drafts === sources.length ? "Nothing is charged: the" : "The"} wait for{" "}
              {drafts === 1 ? "its approval" : "their approval"} ends.
            </li>
          )}
          {charged > 0 && <li>The {creditWords(charged)} that were charged stay charged.</li>}
        </>
      }
    />
  );
}
