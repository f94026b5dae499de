import { Link } from "@tanstack/react-router";
import ArrowRight from "lucide-react/icons/arrow-right";
import GitMerge from "lucide-react/icons/git-merge";
import { useEffect } from "react";
import { ClockTime } from "../../../lib/time/Time.tsx";
import { counted } from "../../../lib/words.ts";
import { Notice } from "../../../ui/Notice.tsx";
import { plainLinkClass } from "../../../ui/textClass.ts";
import { patchOf } from "../agent/agent-draft.ts";
import type { MergedField } from "../agent/merge.ts";
import { capitalized, fieldPhrase } from "../labels.ts";
import type { SettingsSearch } from "../search.ts";
import type { AgentForm } from "../settings/form.ts";
import { goToSection, titleIdOf } from "../settings/Section.tsx";
import { bandClass, TheirChangesLink } from "../settings/SettingsNotices.tsx";
import { WillBeSent } from "../settings/WillBeSent.tsx";
import { useToolNames } from "../tools/ToolNames.tsx";
import { useVersionAuthor } from "../versions/useVersions.ts";
import { FieldList, openCount } from "./FieldList.tsx";
import { ListMerge } from "./ListMerge.tsx";
import { TextMerge, TextViews } from "./TextMerge.tsx";
import type { Merge, MergeView, NameOf } from "./useMerge.ts";
import { LeafRows } from "./ValueRows.tsx";

type Props = { agentId: string; form: AgentForm; merge: Merge; search: SettingsSearch };

/** Two people changed one agent: what merged by itself and whose it is, and what is left to choose. */
export function ConflictView({ agentId, form, merge, search }: Props) {
  const { theirs, baseVersion, conflicts, result, open } = merge;
  const author = useVersionAuthor(agentId, theirs.version);
  const names = useToolNames([...form.base.tools, ...form.mine.tools, ...theirs.draft.tools]);
  const nameOf: NameOf = ({ mine, theirs: other, base }) => names.of(mine ?? other ?? base);
  const who = author.name ?? "Somebody";
  const theirsName = theirs.version === null ? "the newer version" : `version ${theirs.version}`;
  const view: MergeView = {
    merge,
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
  const shown = [...touched.filter(needsPerson), ...touched.filter((field) => !needsPerson(field))];
  const itself = touched.filter((field) => !needsPerson(field)).length;
  const show = search.show ?? "merged";
  useEffect(() => {
    if (search.field !== undefined) goToSection(`merge ${search.field}`);
  }, [search.field]);
  const body = patchOf(theirs.draft, merge.resolved, theirs.version);
  return (
    <>
      <Notice
        kind="waits"
        icon={<GitMerge />}
        title={`${who} saved ${theirsName} while you were editing${baseVersion === null ? "" : ` version ${baseVersion}`}`}
        action={
          <>
            {baseVersion !== null && theirs.version !== null && (
              <span className="inline-flex items-center gap-1.5 font-semibold tabular-nums max-sm:hidden">
                {baseVersion} <ArrowRight className="text-muted" /> {theirs.version}
              </span>
            )}
            <TheirChangesLink name={author.name} />
          </>
        }
        className={bandClass}
      >
        Nothing of theirs is overwritten and nothing of yours is lost.{" "}
        {itself > 0 && `${counted(itself, "field")} merged by ${itself === 1 ? "itself" : "themselves"}`}
        {itself > 0 && (conflicts.length > 0 ? ", " : ".")}
        {conflicts.length > 0 &&
          `${counted(touched.length - itself, "field")} ${touched.length - itself === 1 ? "needs" : "need"} you.`}
      </Notice>
      <div className="grid min-h-0 flex-1 max-md:block md:grid-cols-[264px_minmax(0,1fr)] md:grid-rows-[minmax(0,1fr)_auto]">
        <div className="relative max-md:border-b md:overflow-y-auto md:border-r">
          <FieldList merge={merge} current={search.field ?? shown[0]?.field} />
        </div>
        <div className="relative min-w-0 md:row-span-2 md:overflow-y-auto">
          {shown.map((field) => (
            <section key={field.field} aria-labelledby={titleIdOf(`merge ${field.field}`)}>
              <header className="flex min-h-[47px] flex-wrap items-center gap-x-2.5 gap-y-1 border-b px-4 py-2">
                <h3
                  id={titleIdOf(`merge ${field.field}`)}
                  tabIndex={-1}
                  className="scroll-mt-2 rounded-tag text-heading"
                >
                  {titleOf(field.field)}
                </h3>
                <span className="text-muted text-secondary">
                  {aboutOf(
                    field,
                    open.map((one) => one.id),
                    merge,
                  )}
                </span>
                {field.form === "text" && field === shown.find((one) => one.form === "text") && (
                  <span className="ml-auto max-sm:w-full">
                    <TextViews show={show} />
                  </span>
                )}
              </header>
              <FieldBody view={view} field={field} show={show} nameOf={nameOf} />
            </section>
          ))}
          {shown.length === 0 && (
            <p className="p-4 text-muted">
              Both of you changed nothing that differs: there is nothing to merge.
            </p>
          )}
          <p className="px-4 py-3 text-muted text-secondary md:hidden">
            <Link from="/agents/$agentId/settings" to="." search={{}} className={`hit ${plainLinkClass}`}>
              Back to the settings
            </Link>
          </p>
        </div>
        <div className="md:border-r">
          <WillBeSent agentId={agentId} body={body} about={sentWords(body, theirs.version)} />
        </div>
      </div>
      {form.offReason !== undefined && <p className="sr-only">{form.offReason}</p>}
    </>
  );
}

function FieldBody({
  view,
  field,
  show,
  nameOf,
}: {
  view: MergeView;
  field: MergedField;
  show: "merged" | "sides" | "result";
  nameOf: NameOf;
}) {
  const title = titleOf(field.field);
  if (field.form === "text") {
    return (
      <div className="border-b py-1.5">
        <TextMerge view={view} leaf={field.leaf} label={title} show={show} />
      </div>
    );
  }
  if (field.form === "list") return <ListMerge view={view} field={field} nameOf={nameOf} />;
  const isSection = field.form === "section";
  return (
    <LeafRows
      view={view}
      label={`${title} in the merge`}
      head={isSection ? "Key" : "Field"}
      leaves={isSection ? field.leaves : [field.leaf]}
      nameOf={(leaf) => (isSection && leaf.path.join(".").replaceAll("_", " ")) || title}
    />
  );
}

const needsPerson = (field: MergedField): boolean => field.kind === "conflict";

const titleOf = (field: string): string => capitalized(fieldPhrase(field).slice("the ".length));

/** "2 changes are yours, 1 is theirs, 1 place was changed by both" */
function aboutOf(field: MergedField, open: readonly string[], merge: Merge): string {
  if (field.form === "list") return `Merged one by one; the whole list is sent`;
  const kinds =
    field.form === "section"
      ? field.leaves.map((leaf) => leaf.kind)
      : (field.leaf.chunks?.map((chunk) => chunk.kind) ?? [field.leaf.kind]);
  const count = (kind: string) => kinds.filter((one) => one === kind).length;
  const parts = [
    count("mine") > 0 && `${counted(count("mine"), ...changes)} yours`,
    count("theirs") > 0 && `${counted(count("theirs"), ...changes)} theirs`,
    count("conflict") > 0 && `${counted(count("conflict"), "place was", "places were")} changed by both`,
  ].filter(Boolean);
  const left = openCount(merge, field.field);
  return [parts.join(", ") || "changed alike by both", open.length > 0 && left > 0 ? `${left} to choose` : ""]
    .filter(Boolean)
    .join("; ");
}

const changes = ["change is", "changes are"] as const;

function sentWords(body: object, version: number | null): string {
  const count = Object.keys(body).filter((key) => key !== "version").length;
  if (count === 0) return "Nothing: everything is as theirs";
  return `${counted(count, "field")}, lists as a whole${version === null ? "" : `, and version ${version} as the one last read`}`;
}
