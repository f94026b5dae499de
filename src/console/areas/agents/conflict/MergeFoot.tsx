import { counted, listed } from "../../../lib/words.ts";
import { patchOf } from "../agent/agent-draft.ts";
import { capitalized } from "../labels.ts";
import { SaveFoot, useKeepAsDraft } from "../settings/SaveFoot.tsx";
import type { Settings } from "../settings/useSettings.ts";
import { useToolNames } from "../tools/ToolNames.tsx";
import type { Merge } from "./useMerge.ts";
import { placeWords } from "./useMerge.ts";

/** The line under the merge: what is left to choose, and the save that waits for the last choice. */
export function MergeFoot({
  agentId,
  settings,
  merge,
}: {
  agentId: string;
  settings: Settings;
  merge: Merge;
}) {
  const { isSaving, save, store, form } = settings;
  const keep = useKeepAsDraft(agentId);
  const { theirs, open, resolved, result } = merge;
  const body = patchOf(theirs.draft, resolved, theirs.version);
  const names = useToolNames([
    ...(form?.base.tools ?? []),
    ...(form?.mine.tools ?? []),
    ...theirs.draft.tools,
  ]);
  const isNothing = Object.keys(body).every((key) => key === "version");
  const left = open.length;
  const places = [
    ...new Set(
      open.map((conflict) =>
        placeWords(
          conflict,
          result.fields.find((field) => field.field === conflict.field),
          ({ mine, theirs: other, base }) => names.of(mine ?? other ?? base),
        ),
      ),
    ),
  ];
  const discard = () => {
    store.discard();
    merge.forget();
  };
  const next = theirs.version === null ? null : theirs.version + 1;
  return (
    <SaveFoot
      agentId={agentId}
      body={body}
      words={
        left > 0 ? (
          <>
            <strong className="font-semibold">{counted(left, "choice")} left.</strong>{" "}
            <span className="text-muted">{capitalized(listed(places, 3))}.</span>
          </>
        ) : isNothing ? (
          <span className="text-muted">Nothing of yours is left to save: all of it is as theirs.</span>
        ) : (
          <>
            <strong className="font-semibold">Nothing left to choose.</strong>{" "}
            <span className="text-muted">It is saved on top of theirs.</span>
          </>
        )
      }
      action={isNothing && left === 0 ? "Take theirs" : next === null ? "Save" : `Save as version ${next}`}
      onSave={() => {
        if (isNothing) discard();
        else
          void save(theirs, resolved).then((isSaved) => {
            if (isSaved) merge.forget();
          });
      }}
      isSaving={isSaving}
      offReason={
        isSaving
          ? undefined
          : (form?.offReason ?? (left > 0 ? `Choose first: ${listed(places, 3)}` : undefined))
      }
      error={settings.saveError}
      hasDraft
      onDiscard={discard}
      onKeep={keep}
    />
  );
}
