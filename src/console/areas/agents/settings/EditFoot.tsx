import { useNavigate } from "@tanstack/react-router";
import { patchOf } from "../agent/agent-draft.ts";
import type { AgentForm } from "./form.ts";
import { SaveFoot, useKeepAsDraft } from "./SaveFoot.tsx";
import type { Settings } from "./useSettings.ts";
import { countWords, fieldWords, listWords } from "./words.ts";

/** The line under the settings: what is edited, and saving it, through the merge where a newer version is known. */
export function EditFoot({
  agentId,
  settings,
  form,
}: {
  agentId: string;
  settings: Settings;
  form: AgentForm;
}) {
  const navigate = useNavigate({ from: "/agents/$agentId/settings" });
  const keep = useKeepAsDraft(agentId);
  const { edit, newer, saver, save, store } = settings;
  const { base, baseVersion, mine } = form;
  const count = editCount(form);
  const next = baseVersion === null ? null : baseVersion + 1;
  return (
    <SaveFoot
      agentId={agentId}
      body={patchOf(base, mine, baseVersion)}
      words={
        count === 0 ? (
          <span className="text-muted">Nothing is edited.</span>
        ) : (
          <>
            <strong className="font-semibold">{countWords(count, "field")} edited.</strong>{" "}
            <span className="text-muted">
              {problemOf(form) ??
                (newer
                  ? `${newer.version === null ? "A newer version" : `Version ${newer.version}`} exists, so a save goes through the merge first.`
                  : baseVersion === null
                    ? "This service tells no version: a save overwrites what others saved meanwhile."
                    : "")}
            </span>
          </>
        )
      }
      action={newer ? "Merge, then save" : next === null ? "Save" : `Save as version ${next}`}
      onSave={() => {
        if (newer) void navigate({ search: (old) => ({ ...old, view: "merge" as const }) });
        else void save({ draft: base, version: baseVersion }, mine);
      }}
      isSaving={saver.isSaving}
      offReason={
        saver.isSaving ? undefined : (form.offReason ?? (count === 0 ? "Nothing is edited" : problemOf(form)))
      }
      error={saver.error}
      hasDraft={edit.draft !== null}
      onDiscard={store.discard}
      onKeep={keep}
    />
  );
}

/** How many fields are edited, those included that cannot be read yet. */
function editCount({ changed, texts }: AgentForm): number {
  const held = Object.keys(texts).map((path) => path.split(".").slice(0, 2).join("."));
  return new Set<string>([...changed, ...held]).size;
}

/** What stands in the way of a save; undefined where nothing does. */
function problemOf({ mine, texts }: AgentForm): string | undefined {
  const held = Object.keys(texts).map((path) => path.split(".").slice(0, 2).join("."));
  if (held.length > 0) {
    const fields = [...new Set(held)].map((path) => fieldWords(path as never));
    return `Fix ${listWords(fields)} first: what is typed there cannot be read.`;
  }
  return mine.name.trim() === "" ? "An agent needs a name." : undefined;
}
