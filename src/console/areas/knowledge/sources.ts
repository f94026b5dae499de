import { sourceStates } from "../../../contract/area-states.ts";
import { describeState } from "../../../contract/states.ts";
import type { SourceIn } from "./queries.ts";

export type { SourceIn };

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
  later: "Not now",
  estimating: "Estimate still running",
  others: "Waiting for others",
  done: "Approved",
};

/** A draft waits for those who may approve it: its maker, or the members of its team (§4.12). */
export function mayApprove(
  source: SourceIn,
  who: { readonly userId: string | null; readonly kind: string; readonly teams: readonly string[] | null },
): boolean {
  if (source.scope === "team" && source.team_id) return who.teams?.includes(source.team_id) ?? true;
  return who.kind !== "team" && (source.created_by_user_id ?? who.userId) === who.userId;
}

/** The inbox in its order: what waits first, what is settled last, newest first in each. */
export function groupSources(
  sources: readonly SourceIn[],
  putOff: PutOff,
  now: number,
  mine: (source: SourceIn) => boolean,
): readonly SourceGroup[] {
  const groups = new Map<SourceGroup["key"], SourceIn[]>();
  for (const key of Object.keys(names) as SourceGroup["key"][]) groups.set(key, []);
  for (const source of sources) groups.get(groupOf(source, putOff, now, mine))?.push(source);
  return [...groups].flatMap(([key, members]) =>
    members.length === 0
      ? []
      : [{ key, name: names[key], sources: members, credits: creditsOf(key, members) }],
  );
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

function creditsOf(key: SourceGroup["key"], sources: readonly SourceIn[]): number | null {
  const each = sources.map((one) => (key === "done" ? one.charged_credits : one.estimated_credits));
  return each.every((one) => typeof one === "number")
    ? each.reduce<number>((sum, one) => sum + (one ?? 0), 0)
    : null;
}

/** "38.4"; credits are small numbers with at most two places. */
export const formatCredits = (credits: number): string =>
  credits.toLocaleString("en-GB", { maximumFractionDigits: 2 });

/** "38.4 credits"; one of it is "1 credit". */
export const creditWords = (credits: number): string =>
  `${formatCredits(credits)} ${credits === 1 ? "credit" : "credits"}`;

export const sourceName = (source: {
  readonly name?: string | null | undefined;
  readonly id: string;
}): string => source.name || source.id;

export const sourceState = (source: SourceIn) => describeState(sourceStates, source.status);

/** "Uploaded files"; a type that we do not know as it came. */
export const typeWords = (type: string | null | undefined): string =>
  type === "direct_file_uploads" ? "Uploaded files" : (type ?? "").replaceAll("_", " ") || "Type not given";

/** How far what was charged is from its estimate: "4 % less"; null where one of them is missing. */
export function differenceWords(source: SourceIn): string | null {
  const { estimated_credits: estimated, charged_credits: charged } = source;
  if (typeof estimated !== "number" || typeof charged !== "number" || estimated <= 0) return null;
  const share = Math.round((charged / estimated - 1) * 100);
  if (share === 0) return "as estimated";
  return share < 0 ? `${-share} % less` : `${share} % more`;
}
