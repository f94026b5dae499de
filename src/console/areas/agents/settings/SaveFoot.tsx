import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef, useState } from "react";
import type { AgentChange } from "../../../../contract/agents.ts";
import { describeError } from "../../../api/describe-error.ts";
import { Refusal } from "../../../lib/failure/Failure.tsx";
import { isObject } from "../../../lib/json/json-value.ts";
import { useShortcuts } from "../../../lib/page/shortcuts.ts";
import { SecretWarning, useSecretCheck } from "../../../lib/secret-warning/SecretWarning.tsx";
import { counted, listed } from "../../../lib/words.ts";
import { Button } from "../../../ui/Button.tsx";
import { ConfirmDialog } from "../../../ui/Dialog.tsx";
import { Notice } from "../../../ui/Notice.tsx";
import { patchOf } from "../agent/agent-draft.ts";
import { fieldPhrase } from "../labels.ts";
import type { AgentForm } from "./form.ts";
import type { Settings } from "./useSettings.ts";

type Props = {
  agentId: string;
  /** What would be sent; looked through for secrets. */
  body: AgentChange;
  /** How it stands: "5 fields edited." and what follows from it. */
  words: ReactNode;
  /** What the button does: "Save", "Merge, then save", "Save as version 16". */
  action: string;
  onSave: () => void;
  isSaving: boolean;
  /** Why nothing can be saved yet. */
  offReason: string | undefined;
  /** Why the last save failed. */
  error: unknown;
  hasDraft: boolean;
  onDiscard: () => void;
  /** Leaves with the draft kept, without being asked. */
  onKeep: () => void;
};

/** The line under the settings and the merge: how it stands, and the three ways on. */
export function SaveFoot(props: Props) {
  const { body, action, onSave, isSaving, offReason, error, hasDraft } = props;
  const { secret, allow } = useSecretCheck(textOf(body));
  const [isWarned, setWarned] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const warning = useRef<HTMLDivElement>(null);
  const save = () => {
    if (isSaving || offReason !== undefined) return;
    if (secret !== null) setWarned(true);
    else onSave();
  };
  useEffect(() => {
    if (isWarned) warning.current?.querySelector("button")?.focus();
  }, [isWarned]);
  useShortcuts([{ keys: "mod+s", does: action, whileTyping: true, run: save }]);
  return (
    <>
      {secret && (
        <div ref={warning} className="basis-full [&_[role=status]>div]:max-w-none">
          <SecretWarning
            secret={secret}
            action={isWarned ? "Save anyway" : "It isn’t a secret"}
            onAllow={() => {
              const next = allow();
              if (isWarned && next === null) onSave();
            }}
          >
            Anyone who can see this agent could read it, in every version from now on, and the model receives
            it with every message. Remove it, or put it in a connection instead.
          </SecretWarning>
        </div>
      )}
      {error !== null && <SaveError error={error} />}
      <p className="min-w-0 flex-1 max-sm:basis-full">{props.words}</p>
      {hasDraft && (
        <>
          <Button variant="quiet" onClick={() => setAsked(true)}>
            Discard draft
          </Button>
          <span className="max-sm:hidden">
            <Button onClick={props.onKeep}>Keep as draft</Button>
          </span>
        </>
      )}
      <Button
        variant="primary"
        loading={isSaving}
        disabledReason={offReason}
        reasonAs="title"
        onClick={save}
        className="max-sm:flex-1"
      >
        {action}
      </Button>
      <ConfirmDialog
        isOpen={isAsked}
        onOpenChange={setAsked}
        title="Discard your draft?"
        consequence="Your changes on this device will be lost. The saved agent does not change."
        action="Discard draft"
        onConfirm={() => {
          setAsked(false);
          props.onDiscard();
        }}
      />
    </>
  );
}

function SaveError({ error }: { error: unknown }) {
  const { what, means, next } = describeError(error);
  return (
    <Notice kind="failed" look="box" title="Not saved" className="basis-full">
      {what} {means} {next} Your draft is kept.
      <span className="mt-1 flex items-center gap-1 text-secondary">
        <Refusal error={error} />
      </span>
    </Notice>
  );
}

/** Goes to the agent's page without being asked: the draft is kept. */
export function useKeepAsDraft(agentId: string): () => void {
  const navigate = useNavigate();
  return () => void navigate({ to: "/agents/$agentId", params: { agentId }, ignoreBlocker: true });
}

/** All texts of a value, one after the other. */
function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(textOf).join("\n");
  return isObject(value) ? Object.values(value).map(textOf).join("\n") : "";
}

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
  const { edit, newer, isSaving, save } = settings;
  const { base, baseVersion, mine } = form;
  const count = editCount(form);
  const next = baseVersion === null ? null : baseVersion + 1;
  return (
    <SaveFoot
      agentId={agentId}
      body={patchOf(base, mine, baseVersion)}
      words={
        count === 0 ? (
          <span className="text-muted">No changes.</span>
        ) : (
          <>
            <strong className="font-semibold">{counted(count, "field")} edited.</strong>{" "}
            <span className="text-muted">
              {problemOf(form) ??
                (newer
                  ? `${newer.version === null ? "A newer version" : `Version ${newer.version}`} exists: merge it before you save.`
                  : baseVersion === null
                    ? "This service has no versions: saving overwrites changes by others."
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
      isSaving={isSaving}
      offReason={
        isSaving ? undefined : (form.offReason ?? (count === 0 ? "No changes yet" : problemOf(form)))
      }
      error={settings.saveError}
      hasDraft={edit.draft !== null}
      onDiscard={edit.discard}
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
    const fields = [...new Set(held)].map((path) => fieldPhrase(path as never));
    return `Fix ${listed(fields)} first: the value is not valid.`;
  }
  return mine.name.trim() === "" ? "An agent needs a name." : undefined;
}
