import { Link } from "@tanstack/react-router";
import { usePreferences } from "../../lib/preferences/preferences.tsx";
import { formatMoment } from "../../lib/time/format.ts";
import { Ago } from "../../lib/time/Time.tsx";
import { Checkbox } from "../../ui/Checkbox.tsx";
import { cx } from "../../ui/cx.ts";
import { StateShape } from "../../ui/State.tsx";
import { GroupHead } from "../../ui/Table.tsx";
import { usePerson } from "../directory/index.ts";
import {
  creditWords,
  formatCredits,
  type PutOff,
  type SourceGroup,
  type SourceIn,
  sourceName,
  sourceState,
  whoseWords,
} from "./sources.ts";

type Props = {
  groups: readonly SourceGroup[];
  /** The source that is shown beside the list. */
  shown: string | undefined;
  selection: ReadonlySet<string>;
  canSelect: (group: SourceGroup["key"], source: SourceIn) => boolean;
  onSelection: (selection: ReadonlySet<string>) => void;
  putOff: PutOff;
  teamName: (id: string) => string;
};

/** The inbox: two lines for each source, what it costs at the right. Those with which something can be done can be selected. */
export function SourceList(props: Props) {
  return props.groups.map((group) => (
    <section key={group.key} aria-label={group.name}>
      <h2 className="flex h-row-group items-center border-b bg-surface-sunken pr-4 pl-edge-left">
        <span className="w-full">
          <GroupHead
            name={group.name}
            count={group.sources.length}
            remark={group.credits !== null && group.credits > 0 && creditWords(group.credits)}
          />
        </span>
      </h2>
      <ul>
        {group.sources.map((source) => (
          <Row key={source.id} source={source} group={group.key} {...props} />
        ))}
      </ul>
    </section>
  ));
}

type RowProps = Omit<Props, "groups"> & { source: SourceIn; group: SourceGroup["key"] };

function Row({ source, group, shown, selection, canSelect, onSelection, putOff, teamName }: RowProps) {
  const isShown = source.id === shown;
  const until = putOff[source.id];
  const person = usePerson();
  const { zone } = usePreferences();
  const state = sourceState(source);
  const credits = group === "done" ? source.charged_credits : source.estimated_credits;
  const by = person(source.created_by_user_id, source.creator);
  return (
    <li
      data-row={source.id}
      className={cx(
        "relative flex min-h-[52px] items-start gap-3 border-b py-1.5 pr-4 pl-edge-left",
        isShown ? "bg-surface-selected shadow-[inset_2px_0_var(--accent-solid)]" : "hover:bg-surface-hover",
      )}
    >
      <span className="relative z-bar mt-1 flex w-3.5 shrink-0">
        {canSelect(group, source) ? (
          <Checkbox
            aria-label={`Select ${sourceName(source)}`}
            checked={selection.has(source.id)}
            onChange={(event) => {
              const next = new Set(selection);
              if (event.target.checked) next.add(source.id);
              else next.delete(source.id);
              onSelection(next);
            }}
          />
        ) : (
          <StateShape tone={group === "estimating" ? "running" : state.tone} label={state.word} />
        )}
      </span>
      <span className="min-w-0 flex-1">
        <Link
          to="/knowledge/$sourceId"
          params={{ sourceId: source.id }}
          aria-current={isShown ? "true" : undefined}
          title={sourceName(source)}
          className="focus-inset block truncate font-medium after:absolute after:inset-0"
        >
          <bdi>{sourceName(source)}</bdi>
        </Link>
        <span className="block truncate text-muted text-secondary">
          {group === "later" && until !== undefined
            ? `snoozed until ${formatMoment(until, { zone })}`
            : group === "done"
              ? doneWords(source, person(source.approved_by?.id, source.approved_by))
              : `created by ${by}, ${whoseWords(source, teamName)}`}
        </span>
      </span>
      <span className="shrink-0 text-right tabular-nums">
        <span className="block">
          {typeof credits === "number" ? (
            <>
              <span className="font-medium">{formatCredits(credits)}</span>{" "}
              <span className="text-secondary">{credits === 1 ? "credit" : "credits"}</span>
            </>
          ) : (
            <span className="text-muted text-secondary">
              {source.status === "draft" ? "no estimate yet" : ""}
            </span>
          )}
        </span>
        <span className="block text-muted text-secondary">
          {group === "done" && typeof source.document_count === "number" ? (
            `${source.document_count} ${source.document_count === 1 ? "document" : "documents"}`
          ) : (
            <Ago at={source.created_at} />
          )}
        </span>
      </span>
    </li>
  );
}

function doneWords(source: SourceIn, by: string): string {
  const reading = (source.document_count ?? 0) - (source.indexed_count ?? 0) - (source.failed_count ?? 0);
  const parts = [
    source.status === "active" ? "" : sourceState(source).word,
    source.approved_at ? `approved${by === "–" ? "" : ` by ${by}`}` : "",
    typeof source.estimated_credits === "number" && source.estimated_credits > 0
      ? `estimated ${formatCredits(source.estimated_credits)}`
      : "",
    source.document_count !== undefined && reading > 0 ? `${reading} still indexing` : "",
    (source.failed_count ?? 0) > 0 ? `${source.failed_count} could not be read` : "",
  ];
  return parts.filter(Boolean).join(", ") || "needs no approval";
}
