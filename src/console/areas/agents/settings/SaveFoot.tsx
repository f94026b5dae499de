import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useRef, useState } from "react";
import type { AgentChange } from "../../../../contract/agents.ts";
import { describeError } from "../../../api/describe-error.ts";
import { Refusal } from "../../../lib/failure/Failure.tsx";
import { joinNames } from "../../../lib/join-names.ts";
import { isObject } from "../../../lib/json/json-value.ts";
import { useShortcuts } from "../../../lib/page/shortcuts.ts";
import { SecretWarning, useSecretCheck } from "../../../lib/secret-warning/SecretWarning.tsx";
import { counted } from "../../../lib/words.ts";
import { Button } from "../../../ui/Button.tsx";
import { ConfirmDialog } from "../../../ui/Dialog.tsx";
import { Notice } from "../../../ui/Notice.tsx";
import { patchOf } from "../agent/agent-draft.ts";
import { fieldPhrase } from "../labels.ts";
import { type AgentForm, heldFields } from "./form.ts";
import type { Settings } from "./useSettings.ts";

type Props = {
  settings: Settings;
  form: AgentForm;
  /** What would be sent; looked through for secrets. */
  body: AgentChange;
  /** How it stands: "5 fields edited." and what follows from it. */
  words: ReactNode;
  /** What the button does: "Save", "Merge, then save", "Save as version 16". */
  action: string;
  onSave: () => void;
  /** Why nothing can be saved yet. */
  offReason: string | undefined;
  /** Leads to what has to be done before. */
  onOff?: () => void;
  onDiscard: () => void;
};

/** The line under the settings and the merge: how it stands, and the three ways on. */
export function SaveFoot({ settings, form, body, words, action, onSave, onDiscard, ...props }: Props) {
  const navigate = useNavigate();
  const { isSaving, saveError, edit } = settings;
  const offReason = isSaving ? undefined : (form.offReason ?? props.offReason);
  const { secret, allow } = useSecretCheck(textOf(body));
  const [isWarned, setWarned] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const warning = useRef<HTMLDivElement>(null);
  const save = () => {
    if (isSaving) return;
    if (offReason !== undefined) return props.onOff?.();
    if (secret === null) return onSave();
    setWarned(true);
    warning.current?.querySelector("button")?.focus();
  };
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
      {saveError !== null && <SaveError error={saveError} />}
      <p className="min-w-0 flex-1 max-sm:basis-full">{words}</p>
      {edit.draft !== null && (
        <>
          <Button variant="quiet" onClick={() => setAsked(true)}>
            Discard draft
          </Button>
          <span className="max-sm:hidden">
            <Button
              onClick={() =>
                // Without being asked: the draft is kept.
                void navigate({
                  to: "/agents/$agentId",
                  params: { agentId: form.agentId },
                  ignoreBlocker: true,
                })
              }
            >
              Keep as draft
            </Button>
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
        onClose={() => setAsked(false)}
        title="Discard your draft?"
        consequence="Your changes on this device will be lost. The saved agent does not change."
        action="Discard draft"
        onConfirm={() => {
          setAsked(false);
          onDiscard();
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

/** All texts of a value, one after the other. */
function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(textOf).join("\n");
  return isObject(value) ? Object.values(value).map(textOf).join("\n") : "";
}

/** How a save is called that makes the version after this one. */
export const saveWords = (version: number | null): string =>
  version === null ? "Save" : `Save as version ${version + 1}`;

/** Why what is typed cannot be saved yet: a save would throw away what cannot be read. Undefined where all can. */
export function unreadProblem(form: AgentForm): string | undefined {
  const unread = heldFields(form).map(fieldPhrase);
  return unread.length > 0 ? `Fix ${joinNames(unread)} first: the value is not valid.` : undefined;
}

/** The line under the settings: what is edited, and saving it, through the merge where a newer version is known. */
export function EditFoot({ settings, form }: { settings: Settings; form: AgentForm }) {
  const navigate = useNavigate({ from: "/agents/$agentId/settings" });
  const { base, baseVersion, mine, newer } = form;
  // Those included that cannot be read yet.
  const count = new Set<string>([...form.changed, ...heldFields(form)]).size;
  const problem = unreadProblem(form) ?? (mine.name.trim() === "" ? "An agent needs a name." : undefined);
  const about = newer
    ? `${newer.version === null ? "A newer version" : `Version ${newer.version}`} exists: merge it before you save.`
    : baseVersion === null
      ? "This service has no versions: saving overwrites changes by others."
      : "";
  return (
    <SaveFoot
      settings={settings}
      form={form}
      body={patchOf(base, mine, baseVersion)}
      words={
        count === 0 ? (
          <span className="text-muted">No changes</span>
        ) : (
          <>
            <strong className="font-semibold">{counted(count, "field")} edited.</strong>{" "}
            <span className="text-muted">{problem ?? about}</span>
          </>
        )
      }
      action={newer ? "Merge, then save" : saveWords(baseVersion)}
      onSave={() => {
        if (newer) void navigate({ search: (old) => ({ ...old, view: "merge" as const }) });
        else void settings.save({ draft: base, version: baseVersion }, mine);
      }}
      offReason={count === 0 ? "No changes yet" : problem}
      onDiscard={settings.edit.discard}
    />
  );
}
