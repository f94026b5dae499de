import type { ReactNode } from "react";
import { TextDiff } from "../../../lib/diff/TextDiff.tsx";
import { JsonView } from "../../../lib/json/JsonView.tsx";
import type { FieldDiff, ItemChange, ValueChange } from "../../../lib/merge/diff-record.ts";
import { isTexts } from "../../../lib/merge/merge-value.ts";
import { shownName } from "../../../lib/shownName.ts";
import { Tag } from "../../../ui/Tag.tsx";
import { nameOfTool, scopeLabel } from "../agent/tools.ts";
import { fieldTitle } from "../labels.ts";
import { type ToolTargets, useToolTargets } from "../tools/ToolNames.tsx";

/** What differs between two versions, field by field: texts by line, tools by what they are, metadata by key. */
export function FieldDiffs({ diff }: { diff: readonly FieldDiff[] }) {
  const tools = diff.flatMap((one) =>
    one.form === "list" && one.field === "tools" ? one.items.map(({ item }) => item) : [],
  );
  const { nameOf } = useToolTargets(tools);
  return diff.map((one) => (
    <section
      key={one.field}
      aria-label={fieldTitle(one.field)}
      className="border-b py-3.5 pr-edge-right pl-edge-left last:border-b-0"
    >
      <header className="mb-2 flex flex-wrap items-baseline gap-x-3">
        <h2 className="font-semibold">{fieldTitle(one.field)}</h2>
        <span className="text-muted text-secondary">{aside(one)}</span>
      </header>
      <Body diff={one} nameOf={nameOf} />
    </section>
  ));
}

function Body({ diff, nameOf }: { diff: FieldDiff } & Pick<ToolTargets, "nameOf">) {
  switch (diff.form) {
    case "text":
      return <TextDiff before={diff.before} after={diff.after} label={`${fieldTitle(diff.field)} by line`} />;
    case "value":
      return <BeforeAfter before={diff.before ?? undefined} after={diff.after ?? undefined} />;
    case "section":
      return <Changes changes={diff.changes} />;
    case "list":
      return (
        <ul className="grid gap-2.5">
          {diff.items.map((change) => (
            <li key={change.identity}>
              <p className="flex flex-wrap items-baseline gap-x-2.5">
                <Tag tone={change.kind === "changed" ? "edited" : change.kind}>
                  {change.kind === "changed" ? "edited" : change.kind}
                </Tag>
                <bdi className="font-medium">
                  {diff.field === "tools" ? nameOf(change.item) : resourceName(change)}
                </bdi>
                <span className="text-muted text-secondary">
                  {change.kind === "changed" ? "" : scopeLabel(change.item)}
                </span>
              </p>
              {change.changes.length > 0 && (
                <div className="mt-1 pl-4">
                  <Changes changes={change.changes} />
                </div>
              )}
              {change.kind !== "changed" &&
                nameOfTool(change.item).kind === "other" &&
                saysMore(change.item) && (
                  <div className="mt-1 pl-4 text-muted">
                    <JsonView value={change.item} label="Raw data" />
                  </div>
                )}
            </li>
          ))}
        </ul>
      );
  }
}

/** Values that differ, one on a line: where, before, after. */
function Changes({ changes }: { changes: readonly ValueChange[] }) {
  return (
    <dl className="grid gap-1.5">
      {changes.map((change) => (
        <div
          key={change.path.join("\u0000")}
          className="grid gap-x-4 sm:grid-cols-[minmax(120px,220px)_minmax(0,1fr)]"
        >
          <dt className="break-words text-mono text-muted">{change.path.join(".") || "all of it"}</dt>
          <dd className="min-w-0">
            {isTextPair(change) ? (
              <TextDiff
                before={change.before}
                after={change.after}
                label={`${change.path.join(".")} by line`}
              />
            ) : (
              <BeforeAfter before={change.before} after={change.after} />
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function isTextPair(change: ValueChange): change is ValueChange & { before: string; after: string } {
  const { before, after } = change;
  return (
    typeof before === "string" && typeof after === "string" && (before.includes("\n") || after.includes("\n"))
  );
}

function BeforeAfter({ before, after }: { before: unknown; after: unknown }) {
  const isSets = isTexts(before) && isTexts(after);
  const removed = isSets ? before.filter((item) => !after.includes(item)) : [];
  const added = isSets ? after.filter((item) => !before.includes(item)) : [];
  const differing = [
    ...removed.map((item) => ({ kind: "removed", item }) as const),
    ...added.map((item) => ({ kind: "added", item }) as const),
  ];
  if (differing.length > 0)
    return (
      <ul>
        {differing.map(({ kind, item }) => (
          <li key={`${kind} ${item}`}>
            <Side kind={kind}>{item}</Side>
          </li>
        ))}
      </ul>
    );
  return (
    <div className="flex flex-wrap items-baseline gap-x-2.5 gap-y-1">
      <Side kind="removed">
        <Value value={before} label="Before" />
      </Side>
      <Side kind="added">
        <Value value={after} label="After" />
      </Side>
    </div>
  );
}

/** Words that people wrote are set as words; everything else as JSON. */
function Value({ value, label }: { value: unknown; label: string }) {
  if (value === undefined) return "not set";
  if (typeof value === "string" && value !== "") return <span className="whitespace-pre-wrap">{value}</span>;
  return <JsonView value={value} label={label} />;
}

function Side({ kind, children }: { kind: "added" | "removed"; children: ReactNode }) {
  const Edit = kind === "added" ? "ins" : "del";
  const look = kind === "added" ? "bg-diff-add-bg" : "bg-diff-del-bg";
  return (
    <Edit className={`inline-block max-w-full break-words rounded-tag px-1.5 no-underline ${look}`}>
      <span className="sr-only">{kind === "added" ? "after: " : "before: "}</span>
      {children}
    </Edit>
  );
}

/** Whether a tool of a foreign kind says more than its name. */
function saysMore(item: object): boolean {
  return Object.keys(item).some((key) => key !== "type");
}

function aside(diff: FieldDiff): string {
  if (diff.form !== "list") return "";
  const moved = diff.isReordered ? "reordered" : "";
  const rest = diff.same === 0 ? "" : diff.same === 1 ? "1 more unchanged" : `${diff.same} more unchanged`;
  return [rest, moved].filter(Boolean).join(", ");
}

function resourceName({ item, identity }: ItemChange): string {
  const name = typeof item.name === "string" ? item.name : item.id;
  return shownName(typeof name === "string" && name !== "" ? name : identity);
}
