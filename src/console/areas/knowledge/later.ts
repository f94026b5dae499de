import { type Zone, zoneMark } from "../../lib/time/format.ts";

/** A time at which a source that was put off comes back: its words and ms since 1970. */
export interface LaterChoice {
  readonly words: string;
  readonly at: number;
}

/**
 * The usual times to come back to something: tomorrow, next Monday and in a week, at eight in the morning of the zone in
 * which times are shown.
 */
export function laterChoices(now: number, zone: Zone): readonly LaterChoice[] {
  const today = new Date(now);
  const isUtc = zone === "utc";
  const morning = (days: number): number =>
    isUtc
      ? Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate() + days, 8)
      : new Date(today.getFullYear(), today.getMonth(), today.getDate() + days, 8).getTime();
  const toMonday = (8 - (isUtc ? today.getUTCDay() : today.getDay())) % 7 || 7;
  const at = (days: number) => `08:00${zoneMark(morning(days), { zone })}`;
  return [
    { words: `Until tomorrow, ${at(1)}`, at: morning(1) },
    ...(toMonday === 1 ? [] : [{ words: `Until Monday, ${at(toMonday)}`, at: morning(toMonday) }]),
    { words: "For a week", at: morning(7) },
    { words: "For four weeks", at: morning(28) },
  ];
}

/** A day of a date field (`2026-12-04`) at eight in the morning of `zone`; null for one that has passed or is none. */
export function laterDay(day: string, now: number, zone: Zone): number | null {
  const at = new Date(`${day}T08:00:00${zone === "utc" ? "Z" : ""}`).getTime();
  return Number.isNaN(at) || at <= now ? null : at;
}
