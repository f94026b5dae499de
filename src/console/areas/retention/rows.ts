import type { getRetention } from "../../../contract/retention.ts";
import type { DataOf } from "../../api/client.ts";
import { counted } from "../../lib/words.ts";

type Answer = DataOf<typeof getRetention>;

/** What of one kind and team would go. */
type Found = NonNullable<NonNullable<Answer["preview"]>[number]>;

/** One kind of things of one team, or of all that have no row of their own. */
export interface RetentionRow {
  readonly id: string;
  readonly kind: string;
  /** Null: of no team; undefined: all for which there is no exception. */
  readonly teamId: string | null | undefined;
  /** Null: for ever; undefined where no rule of the answer tells. */
  readonly days: number | null | undefined;
  /** Null: nothing of it is old enough. */
  readonly found: Found | null;
}

interface KindWords {
  readonly name: string;
  /** What goes, and since when its time is counted. */
  readonly about: string;
  readonly one: string;
  readonly many?: string;
}

const kinds: Readonly<Record<string, KindWords>> = {
  runs: {
    name: "Runs",
    about: "Runs that are done or were stopped, with their sub-runs, logs and files; counted from their end",
    one: "run",
  },
  failed_runs: {
    name: "Failed runs",
    about: "Runs that failed, with their sub-runs, logs and files; counted from their end",
    one: "run",
  },
  conversations: {
    name: "Conversations",
    about:
      "Messages, evaluation results and the runs that the agent started; counted from the last message. Artifacts stay",
    one: "conversation",
  },
  run_files: {
    name: "Run files",
    about: "Files that runs wrote; the runs stay. Counted from the end of the run",
    one: "file",
  },
  search_index: {
    name: "Search entries",
    about:
      "What the search knows of runs and conversations, which stay; counted from the end of the run or turn",
    one: "entry",
    many: "entries",
  },
};

/** The words for a kind; one that is not known is called as it came. */
export const kindWords = (kind: string): KindWords => kinds[kind] ?? { name: kind, about: "", one: "item" };

/** "1,204 runs"; "nothing" where nothing is old enough. */
export function countWords({ kind, found }: RetentionRow): string {
  if (!found) return "nothing";
  const { one, many } = kindWords(kind);
  return counted(found.count ?? 0, one, many);
}

/** "90 days", "forever". */
export function daysWords({ days }: RetentionRow): string {
  if (days === undefined) return "unknown";
  return days === null ? "forever" : counted(days, "day");
}

/**
 * What would go, with the rule for each; and the rules by which nothing would.
 * @returns nothing where no rule ever deletes anything
 */
export function retentionRows(answer: Answer): readonly RetentionRow[] {
  const rules = (answer.rules ?? []).flatMap((rule) =>
    rule?.kind ? [{ kind: rule.kind, teamId: rule.project_id ?? null, days: rule.days ?? null }] : [],
  );
  const preview = (answer.preview ?? []).flatMap((found) =>
    found?.kind ? [{ ...found, kind: found.kind }] : [],
  );
  if (preview.length === 0 && rules.every(({ days }) => days === null)) return [];
  const named = new Set([
    ...Object.keys(kinds),
    ...rules.map(({ kind }) => kind),
    ...preview.map(({ kind }) => kind),
  ]);
  return [...named].flatMap((kind) => {
    const ofKind = rules.filter((rule) => rule.kind === kind);
    const forAll = ofKind.find(({ teamId }) => teamId === null);
    const exceptions = ofKind.filter(({ teamId }) => teamId !== null);
    const found = preview.filter((one) => one.kind === kind);
    const teams = new Set([
      ...found.map(({ project_id }) => project_id ?? null),
      ...exceptions.map(({ teamId }) => teamId),
    ]);
    const rows = [...teams].map((teamId): RetentionRow => {
      const exception = teamId === null ? undefined : exceptions.find((rule) => rule.teamId === teamId);
      return {
        ...{ id: `${kind} ${teamId ?? ""}`, kind, teamId },
        days: (exception ?? forAll)?.days,
        found: found.find((one) => (one.project_id ?? null) === teamId) ?? null,
      };
    });
    const isSeen = rows.some(({ teamId }) => !exceptions.some((rule) => rule.teamId === teamId));
    if (!forAll || isSeen) return rows;
    return [{ id: `${kind} all`, kind, teamId: undefined, days: forAll.days, found: null }, ...rows];
  });
}
