import { useNavigate } from "@tanstack/react-router";
import Check from "lucide-react/icons/check";
import GitMerge from "lucide-react/icons/git-merge";
import Lock from "lucide-react/icons/lock";
import X from "lucide-react/icons/x";
import type { ConsoleError } from "../../../api/errors.ts";
import { Refusal } from "../../../lib/failure/Failure.tsx";
import { joinNames } from "../../../lib/join-names.ts";
import { JsonView } from "../../../lib/json/JsonView.tsx";
import { LinkButton } from "../../../lib/page/LinkButton.tsx";
import { Ago } from "../../../lib/time/Time.tsx";
import { counted } from "../../../lib/words.ts";
import { Button, IconButton } from "../../../ui/Button.tsx";
import { CopyButton } from "../../../ui/CopyButton.tsx";
import { cx } from "../../../ui/cx.ts";
import { Dialog } from "../../../ui/Dialog.tsx";
import { Notice } from "../../../ui/Notice.tsx";
import type { DraftField } from "../agent/agent-draft.ts";
import { diffAgents, droppedKeys } from "../agent/compare.ts";
import { fieldPhrase, versionLabel } from "../labels.ts";
import { FieldDiffs } from "../versions/FieldDiffs.tsx";
import { useVersionAuthor } from "../versions/useVersions.ts";
import type { AgentForm } from "./form.ts";
import type { Settings } from "./useSettings.ts";

/** A band as wide as the page; on phones its act stands under the words. */
export const bandClass =
  "[&>div]:max-w-none max-sm:flex-wrap max-sm:[&>div:last-child]:basis-full max-sm:[&>div:last-child]:pl-[22px]";

/** Somebody saved a newer version while a draft is open: what it changed, said before anything is sent. */
export function NewerBand({ form }: { form: AgentForm }) {
  const version = form.newer?.version ?? null;
  const author = useVersionAuthor(form.agentId, version);
  if (!form.newer) return null;
  const who = author.name ?? "Someone";
  const theirs = [...form.theirs];
  const both = theirs.filter((path) => form.changed.has(path));
  return (
    <Notice
      kind="waits"
      icon={<GitMerge />}
      action={<TheirChangesLink name={author.name} />}
      className={bandClass}
    >
      <strong className="font-semibold">
        {who} saved {version === null ? "a newer version" : `version ${version}`}
        {author.at !== null && (
          <>
            , <Ago at={author.at} />
          </>
        )}
        .
      </strong>{" "}
      {version === null || form.baseVersion === null ? "It" : `Version ${form.baseVersion} to ${version}`}{" "}
      changed {joinNames(theirs.map(fieldPhrase))}.{" "}
      {both.length > 0 && `You changed ${joinNames(both.map(fieldPhrase))} too. `}
      Keep editing; nothing is lost.
    </Notice>
  );
}

/** Opens what somebody else has saved meanwhile. `name`: of whoever did; null: not known. */
export function TheirChangesLink({ name }: { name: string | null }) {
  return (
    <LinkButton
      from="/agents/$agentId/settings"
      to="."
      search={(old) => ({ ...old, see: "theirs" as const })}
      size="small"
    >
      See {name === null ? "their" : `${name.split(" ")[0]}’s`} changes
    </LinkButton>
  );
}

type ReadOnlyProps = {
  /** The service said so before anything was tried. */
  isReader: boolean;
  /** Which role it takes, where the service has roles. */
  missing: string | undefined;
  /** What a save was answered; null where none was refused. */
  refusal: ConsoleError | null;
  /** Lets them try again: they may have been given the right meanwhile. */
  onTry: () => void;
  unread: ReadonlySet<DraftField>;
};

/** Why all or some of it can be read, but not changed; nothing where all can. */
export function ReadOnlyBand({ isReader, missing, refusal, onTry, unread }: ReadOnlyProps) {
  const fields = [...unread].map((field) => fieldPhrase(field));
  if (isReader || refusal)
    return (
      <Notice
        kind="offline"
        icon={<Lock />}
        title="You can view this agent, but not change it"
        action={
          isReader ? undefined : (
            <Button size="small" onClick={onTry}>
              Edit anyway
            </Button>
          )
        }
      >
        {isReader || !refusal ? (
          `${missing ?? "You have the viewer role"}.`
        ) : (
          <>
            Your key has no permission to change it. Your draft stays on this device, so you can copy it.
            <span className="mt-1 flex items-center gap-1 text-secondary">
              <Refusal error={refusal} />
            </span>
          </>
        )}
      </Notice>
    );
  if (fields.length === 0) return null;
  return (
    <Notice kind="offline" icon={<Lock />} title="Some fields can’t be edited here">
      The service sent {joinNames(fields)} in an unknown format, so{" "}
      {fields.length === 1 ? "it stays" : "they stay"} unchanged.
    </Notice>
  );
}

const kinds = { dropped: "not saved", changed: "saved as another value", added: "added by the service" };

type SavedProps = { saved: NonNullable<Settings["saved"]>; onClose: () => void };

/** What came back after a save, against what was sent; keys that the service dropped are named. */
export function SavedBand({ saved, onClose }: SavedProps) {
  const { version, differences } = saved;
  const dropped = droppedKeys(differences);
  const isEven = differences.length === 0;
  return (
    <div
      role="status"
      className={cx(
        "flex shrink-0 items-start gap-2 border-b py-2.5 pr-edge-right pl-edge-left",
        isEven ? "border-state-done-line bg-state-done-bg" : "border-state-stopped-line bg-state-stopped-bg",
      )}
    >
      <Check className="mt-[3px] text-state-done-mark" />
      <div className="min-w-0 flex-1">
        <p>
          <strong className="font-semibold">
            {version === null ? "Saved." : `Saved as version ${version}.`}
          </strong>{" "}
          {isEven
            ? null
            : dropped.length > 0
              ? `The service did not save ${joinNames(dropped)}.`
              : `${counted(differences.length, "value")} changed by the service.`}
        </p>
        {!isEven && (
          <details className="mt-1">
            <summary className="rounded-tag text-muted text-secondary">What the service changed</summary>
            <ul className="mt-1.5 grid max-h-[36vh] gap-2 overflow-y-auto">
              {differences.map(({ kind, path, sent, got }) => (
                <li key={path} className="min-w-0">
                  <code className="break-all text-mono">{path}</code>{" "}
                  <span className="text-muted text-secondary">{kinds[kind]}</span>
                  <div className="flex flex-wrap gap-x-6 gap-y-1">
                    {sent !== undefined && <Side name="Sent" value={sent} />}
                    {kind !== "dropped" && <Side name="Saved" value={got} />}
                  </div>
                </li>
              ))}
            </ul>
          </details>
        )}
      </div>
      {!isEven && <CopyButton text={JSON.stringify(differences, null, 2)} what="what the service changed" />}
      <IconButton size="small" label="Close" onClick={onClose}>
        <X />
      </IconButton>
    </div>
  );
}

function Side({ name, value }: { name: string; value: unknown }) {
  return (
    <div className="flex min-w-0 items-baseline gap-2">
      <span className="text-muted text-secondary">{name}</span>
      <JsonView value={value} label={name} />
    </div>
  );
}

/** What another person changed since the draft began, field by field, over the page. */
export function TheirChanges({ form, isOpen }: { form: AgentForm; isOpen: boolean }) {
  const navigate = useNavigate({ from: "/agents/$agentId/settings" });
  const { newer, base, baseVersion } = form;
  if (!newer) return null;
  return (
    <Dialog
      isOpen={isOpen}
      onClose={() => void navigate({ search: ({ see: _, ...old }) => old, replace: true })}
      title={`What ${versionLabel(newer.version)} changed`}
      description={`Compared with ${baseVersion === null ? "what you started from" : `version ${baseVersion}, which you started from`}. Your draft does not change.`}
    >
      {isOpen && (
        <div className="-mx-4 border-t sm:-mx-5">
          <FieldDiffs diff={diffAgents(base, newer.draft)} />
        </div>
      )}
    </Dialog>
  );
}
