import { Link, useNavigate } from "@tanstack/react-router";
import ArrowRight from "lucide-react/icons/arrow-right";
import GitMerge from "lucide-react/icons/git-merge";
import { useEffect, useMemo } from "react";
import { joinNames } from "../../../lib/join-names.ts";
import type { JsonObject } from "../../../lib/json/json-value.ts";
import { FieldList } from "../../../lib/merge/FieldList.tsx";
import { MergedFields } from "../../../lib/merge/MergedFields.tsx";
import type { MergedField } from "../../../lib/merge/merge-record.ts";
import { goToOpenConflict } from "../../../lib/merge/open-conflict.ts";
import {
  type FieldNames,
  type Merge,
  type MergeView,
  placesOf,
  useMerge,
} from "../../../lib/merge/useMerge.ts";
import { ClockTime } from "../../../lib/time/ClockTime.tsx";
import { counted } from "../../../lib/words.ts";
import { Button } from "../../../ui/Button.tsx";
import { Notice } from "../../../ui/Notice.tsx";
import { plainLinkClass } from "../../../ui/textClass.ts";
import { type AgentDraft, draftOf, patchOf } from "../agent/agent-draft.ts";
import { mergeAgents } from "../agent/compare.ts";
import type { Latest, StoredAgentDraft } from "../agent/draft-store.ts";
import { nameOfTool, scopeLabel } from "../agent/tools.ts";
import { capitalized, fieldPhrase, versionLabel } from "../labels.ts";
import type { SettingsSearch } from "../search.ts";
import type { AgentForm } from "../settings/form.ts";
import { SaveFoot, saveWords, unreadProblem } from "../settings/SaveFoot.tsx";
import { goToSection, titleIdOf, useSectionInView } from "../settings/Section.tsx";
import { bandClass, TheirChangesLink } from "../settings/SettingsNotices.tsx";
import type { Settings } from "../settings/useSettings.ts";
import { WillBeSent } from "../settings/WillBeSent.tsx";
import { useToolTargets } from "../tools/ToolNames.tsx";
import { useVersionAuthor } from "../versions/useVersions.ts";

type AgentMerge = Merge<AgentDraft>;

/** The merge of a draft with what the service has now; null where there is nothing to merge. */
export function useAgentMerge(
  agentId: string,
  draft: StoredAgentDraft | null,
  newer: Latest | null,
): AgentMerge | null {
  const three = useMemo(
    () => (draft && newer ? { base: draft.base, theirs: newer.draft, mine: draft.mine } : null),
    [draft, newer],
  );
  const isOver = draft === null;
  return useMerge({ place: `merge ${agentId}`, three, isOver, merge: mergeAgents, read: draftOf });
}

/** How the fields and tools of an agent are called. */
function useFieldNames({ base, mine, newer }: AgentForm): FieldNames {
  const { nameOf } = useToolTargets([...base.tools, ...mine.tools, ...(newer?.draft.tools ?? [])]);
  return {
    titleOf: (field) => capitalized(fieldPhrase(field).slice("the ".length)),
    phraseOf: fieldPhrase,
    itemTitle: (field) => (field === "tools" ? "Tool" : "Resource"),
    itemName: (entry) => nameOf(entry.mine ?? entry.theirs ?? entry.base),
    sayItem: (field, item) => {
      const kind = field === "tools" ? nameOfTool(item).kind : "other";
      if (kind === "other") return undefined;
      return kind === "server" ? scopeLabel(item as JsonObject, "all tools", "no approval") : null;
    },
  };
}

const needsPerson = (field: MergedField): boolean => field.kind === "conflict";
const sectionOf = (field: string): string => `merge ${field}`;

type Props = { form: AgentForm; merge: AgentMerge; search: SettingsSearch };

/** Two people changed one agent: what merged by itself and whose it is, and what is left to choose. */
export function ConflictView({ form, merge, search }: Props) {
  const navigate = useNavigate({ from: "/agents/$agentId/settings" });
  const { conflicts, result, choices, choose } = merge;
  const { newer, baseVersion } = form;
  const version = newer?.version ?? null;
  const author = useVersionAuthor(form.agentId, version);
  const names = useFieldNames(form);
  const theirsName = versionLabel(version);
  const view: MergeView = {
    choices,
    choose,
    baseName: baseVersion === null ? "Before" : `Version ${baseVersion}`,
    theirsName,
    mineAbout: "your draft",
    theirsAbout: (
      <>
        {theirsName}
        {author.name !== null && `, ${author.name}`} {author.at !== null && <ClockTime at={author.at} />}
      </>
    ),
  };
  const touched = result.fields.filter((field) => field.kind !== "same");
  // Those that need the person come first, each group in the order of the fields.
  const itself = touched.filter((field) => !needsPerson(field));
  const asked = touched.filter(needsPerson);
  const shown = [...asked, ...itself];
  useSectionInView(search.field && sectionOf(search.field));
  const isAtField = search.field !== undefined;
  // Whoever saved and was led here begins at what is asked, and not at the top of the page.
  useEffect(() => {
    if (!isAtField) goToOpenConflict();
  }, [isAtField]);
  const current = search.field ?? shown[0]?.field;
  const body = newer ? patchOf(newer.draft, merge.resolved, version) : {};
  return (
    <>
      <Notice
        kind="waits"
        icon={<GitMerge />}
        title={`${author.name ?? "Someone"} saved ${theirsName} while you were editing${baseVersion === null ? "" : ` version ${baseVersion}`}`}
        action={
          <>
            {baseVersion !== null && version !== null && (
              <span className="inline-flex items-center gap-1.5 font-semibold tabular-nums max-sm:hidden">
                {baseVersion} <ArrowRight className="text-muted" /> {version}
              </span>
            )}
            <TheirChangesLink name={author.name} />
          </>
        }
        className={bandClass}
      >
        Neither their changes nor yours are lost.{" "}
        {itself.length > 0 && `${counted(itself.length, "field")} merged automatically`}
        {itself.length > 0 && (conflicts.length > 0 ? ", " : ".")}
        {conflicts.length > 0 &&
          `${counted(asked.length, "field")} ${asked.length === 1 ? "needs" : "need"} your decision.`}
      </Notice>
      <div className="grid min-h-0 flex-1 max-md:block md:grid-cols-[264px_minmax(0,1fr)] md:grid-rows-[minmax(0,1fr)_auto]">
        <div className="relative max-md:border-b md:overflow-y-auto md:border-r">
          <FieldList
            merge={merge}
            current={current}
            link={(field, row) => (
              <Link
                from="/agents/$agentId/settings"
                to="."
                search={(old) => ({ ...old, field })}
                replace
                onClick={() => goToSection(sectionOf(field))}
                {...(field === current && { "aria-current": "true" as const })}
                {...row}
              />
            )}
          />
        </div>
        <div className="relative min-w-0 md:row-span-2 md:overflow-y-auto">
          <MergedFields
            merge={merge}
            fields={shown}
            view={view}
            names={names}
            idOf={(field) => titleIdOf(sectionOf(field))}
            show={search.show ?? "merged"}
            onShow={(next) =>
              void navigate({
                search: ({ show: _, ...old }) => (next === "merged" ? old : { ...old, show: next }),
                replace: true,
              })
            }
          />
          {shown.length === 0 && <p className="p-4 text-muted">There is nothing to merge.</p>}
          <p className="px-4 py-3 text-muted text-secondary md:hidden">
            <Link from="/agents/$agentId/settings" to="." search={{}} className={`hit ${plainLinkClass}`}>
              Back to settings
            </Link>
          </p>
        </div>
        <div className="md:border-r">
          <WillBeSent agentId={form.agentId} body={body} about={sentWords(body, version)} />
        </div>
      </div>
      {form.offReason !== undefined && <p className="sr-only">{form.offReason}</p>}
    </>
  );
}

function sentWords(body: object, version: number | null): string {
  const count = Object.keys(body).filter((key) => key !== "version").length;
  if (count === 0) return "Nothing: your changes match theirs";
  return `${counted(count, "field")}, with whole lists${version === null ? "" : `, based on version ${version}`}`;
}

type FootProps = { settings: Settings; form: AgentForm; merge: AgentMerge };

/** The line under the merge: what is left to choose, and the save that waits for the last choice. */
export function MergeFoot({ settings, form, merge }: FootProps) {
  const { open, resolved } = merge;
  const theirs: Latest = form.newer ?? { draft: form.base, version: form.baseVersion };
  const body = patchOf(theirs.draft, resolved, theirs.version);
  const places = placesOf(merge, useFieldNames(form));
  const isNothing = Object.keys(body).every((key) => key === "version");
  const left = open.length;
  const unread = unreadProblem(form);
  const navigate = useNavigate({ from: "/agents/$agentId/settings" });
  const goToNext = () => {
    if (left === 0) return;
    // Where both sides or the result are shown, nothing can be chosen.
    void navigate({ search: ({ show: _, ...old }) => old, replace: true }).then(goToOpenConflict);
  };
  const discard = () => {
    settings.edit.discard();
    merge.forget();
  };
  return (
    <SaveFoot
      settings={settings}
      form={form}
      body={body}
      words={
        left > 0 ? (
          <>
            <strong className="font-semibold">{counted(left, "conflict")} left.</strong>{" "}
            <span className="text-muted">{capitalized(joinNames(places, 3))}.</span>{" "}
            <Button size="small" variant="quiet" onClick={goToNext}>
              {left === 1 ? "Go to it" : "Go to first"}
            </Button>
          </>
        ) : unread !== undefined ? (
          <span className="text-muted">{unread}</span>
        ) : isNothing ? (
          <span className="text-muted">Nothing of yours is left to save: it all matches theirs.</span>
        ) : (
          <>
            <strong className="font-semibold">No conflicts left.</strong>{" "}
            <span className="text-muted">Your changes are saved on top of theirs.</span>
          </>
        )
      }
      action={isNothing && left === 0 ? "Use theirs" : saveWords(theirs.version)}
      onSave={() => {
        if (isNothing) discard();
        else void settings.save(theirs, resolved).then((isSaved) => isSaved && merge.forget());
      }}
      offReason={left > 0 ? `Resolve first: ${joinNames(places, 3)}` : unread}
      onOff={goToNext}
      onDiscard={discard}
    />
  );
}
