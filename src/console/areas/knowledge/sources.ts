import { sourceStates } from "../../../contract/area-states.ts";
import { describeState } from "../../../contract/states.ts";
import { useApi, useCan } from "../../lib/api.tsx";
import { useKeptValue } from "../../lib/drafts/useDraft.ts";
import { creditWords, formatCredits } from "../../lib/format-usage.ts";
import { usePages } from "../../lib/paging/usePages.ts";
import { shownName } from "../../lib/shownName.ts";
import { useNow } from "../../lib/time/clock.tsx";
import { useSignedIn } from "../session/index.ts";
import { type SourceIn, sourcePages } from "./queries.ts";

export type { SourceIn };
export { creditWords, formatCredits };

/** Sources that somebody put off, with the time until when, in ms since 1970. Kept in this browser. */
export type PutOff = Readonly<Record<string, number>>;

export interface SourceGroup {
  readonly key: "waits" | "later" | "estimating" | "others" | "done";
  readonly name: string;
  readonly sources: readonly SourceIn[];
  /** The credits of all of them, where every one is known. */
  readonly credits: number | null;
}

const names: Readonly<Record<SourceGroup["key"], string>> = {
  waits: "Waiting for you",
  later: "Snoozed",
  estimating: "Estimating",
  others: "Waiting for others",
  done: "Approved",
};

/** A draft waits for those who may approve it: as the service says, else its maker, or the members of its team (§4.12). */
function mayApprove(
  source: SourceIn,
  who: { readonly userId: string | null; readonly kind: string; readonly teams: readonly string[] | null },
): boolean {
  if (source.may_edit != null) return source.may_edit;
  if (source.scope === "team" && source.team_id) return who.teams?.includes(source.team_id) ?? true;
  return who.kind !== "team" && (source.created_by_user_id ?? who.userId) === who.userId;
}

/** The inbox in its order: what waits first, what is settled last, newest first in each. */
function groupSources(
  sources: readonly SourceIn[],
  putOff: PutOff,
  now: number,
  mine: (source: SourceIn) => boolean,
): readonly SourceGroup[] {
  const groups = new Map<SourceGroup["key"], SourceIn[]>();
  for (const key of Object.keys(names) as SourceGroup["key"][]) groups.set(key, []);
  for (const source of sources) groups.get(groupOf(source, putOff, now, mine))?.push(source);
  return [...groups].flatMap(([key, members]) => {
    const each = members.map((one) => (key === "done" ? one.charged_credits : one.estimated_credits));
    return members.length === 0 ? [] : [{ key, name: names[key], sources: members, credits: sumOf(each) }];
  });
}

function groupOf(
  source: SourceIn,
  putOff: PutOff,
  now: number,
  mine: (source: SourceIn) => boolean,
): SourceGroup["key"] {
  if (source.status !== "draft") return "done";
  if (!mine(source)) return "others";
  if ((putOff[source.id] ?? 0) > now) return "later";
  // A service that tells no estimates leaves the field out; one whose estimate still runs says null.
  return source.estimated_credits === null ? "estimating" : "waits";
}

/** All together; null where one of them is not known. */
export function sumOf(credits: readonly (number | null | undefined)[]): number | null {
  const known = credits.filter((one) => typeof one === "number");
  return known.length < credits.length ? null : known.reduce((sum, one) => sum + one, 0);
}

/** A source by its name, else by its id. */
export const sourceName = (source: {
  readonly name?: string | null | undefined;
  readonly id: string;
}): string => shownName(source.name || source.id);

/** Its state in words, with its tone. */
export const sourceState = (source: SourceIn) => describeState(sourceStates, source.status);

/** "Uploaded files"; a type that we do not know as it came. */
export const typeWords = (type: string | null | undefined): string =>
  type === "direct_file_uploads" ? "Uploaded files" : (type ?? "").replaceAll("_", " ") || "Unknown type";

/** How far what was charged is from its estimate: "4 % less"; null where one of them is missing. */
export function differenceWords(source: SourceIn): string | null {
  const { estimated_credits: estimated, charged_credits: charged } = source;
  if (typeof estimated !== "number" || typeof charged !== "number" || estimated <= 0) return null;
  const share = Math.round((charged / estimated - 1) * 100);
  if (share === 0) return "as estimated";
  return share < 0 ? `${-share} % less` : `${share} % more`;
}

/** What sources are called where they are deleted. */
export const sourceNouns = { one: "source", many: "sources" } as const;

/** For whom a source is: "for team Harbor", "for everybody of the organisation". */
export function whoseWords(source: SourceIn, teamName: (id: string) => string): string {
  switch (source.scope) {
    case "personal":
      return "only for its creator";
    case "team":
      return source.team_id ? `for team ${teamName(source.team_id)}` : "for a team";
    case "organization":
      return "for the whole organisation";
    default:
      return source.scope ? `for ${source.scope}` : "unknown access";
  }
}

/** Who can find what is in it, once it is indexed. */
export function readersWords(source: SourceIn, teamName: (id: string) => string): string {
  switch (source.scope) {
    case "personal":
      return "Only its creator’s conversations and runs can search it.";
    case "team":
      return `Everyone in team ${source.team_id ? teamName(source.team_id) : ""} can read it, and the team’s agents can search it.`;
    case "organization":
      return "Everyone in the organisation can read it.";
    default:
      return `Who can read it depends on its scope: ${source.scope || "unknown"}.`;
  }
}

const place = "knowledge later";

/** What this person put off, in this browser: the interface has no word for it. */
function usePutOff() {
  const { drafts } = useApi();
  return {
    putOff: useKeptValue(place, read),
    /** Hides a source until then, ms since 1970; null brings it back. */
    putOffUntil: (id: string, until: number | null) =>
      void drafts.change(place, (kept) => {
        const { [id]: _, ...rest } = read(kept);
        return until === null ? rest : { ...rest, [id]: until };
      }),
  };
}

function read(kept: unknown): PutOff {
  if (typeof kept !== "object" || kept === null) return {};
  return Object.fromEntries(Object.entries(kept).filter((entry) => typeof entry[1] === "number"));
}

/**
 * The sources that this key can see, as an inbox: what waits for this person first.
 * @param inBackground no page shows it: its first read waits for its turn (C-36)
 */
export function useSources(inBackground = false) {
  const api = useApi();
  const { teams } = useSignedIn();
  const canList = useCan("knowledge_sources");
  const { rows: sources, ...read } = usePages(sourcePages(api, inBackground), { enabled: canList });
  const putOffs = usePutOff();
  const now = useNow(true, 60_000);
  const who = { ...api.who, teams: teams?.map((team) => team.id) ?? null };
  const mine = (source: SourceIn) => mayApprove(source, who);
  return {
    canList,
    ...read,
    sources,
    groups: groupSources(sources, putOffs.putOff, now, mine),
    mine,
    /** Ids of those that are put off now. */
    snoozed: new Set(Object.keys(putOffs.putOff).filter((id) => (putOffs.putOff[id] ?? 0) > now)),
    ...putOffs,
  };
}
