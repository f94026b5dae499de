/** A time at which a source that was put off comes back: its words and ms since 1970, in the browser's zone. */
export interface LaterChoice {
  readonly words: string;
  readonly at: number;
}

/** The usual times to come back to something: tomorrow, next Monday and in a week, at eight in the morning. */
export function laterChoices(now: number): readonly LaterChoice[] {
  const morning = (days: number): number => {
    const day = new Date(now);
    day.setDate(day.getDate() + days);
    day.setHours(8, 0, 0, 0);
    return day.getTime();
  };
  const toMonday = (8 - new Date(now).getDay()) % 7 || 7;
  return [
    { words: "Until tomorrow, 08:00", at: morning(1) },
    ...(toMonday === 1 ? [] : [{ words: "Until Monday, 08:00", at: morning(toMonday) }]),
    { words: "For a week", at: morning(7) },
    { words: "For four weeks", at: morning(28) },
  ];
}

/** A day of a date field (`2026-12-04`) at eight in the morning; null for one that has passed or is none. */
export function laterDay(day: string, now: number): number | null {
  const at = new Date(`${day}T08:00:00`).getTime();
  return Number.isNaN(at) || at <= now ? null : at;
}
