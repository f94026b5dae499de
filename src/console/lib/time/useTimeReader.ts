import { usePreferences } from "../preferences/preferences.tsx";
import { useNow } from "./clock.tsx";
import type { TimeReader } from "./format.ts";

/** Days begin at a quarter of an hour in every zone: asking more often would change no day. */
const quarterHour = 15 * 60_000;

/** For whom the times of the page are written; renders again in time for a new day, so that "today" stays true. */
export function useTimeReader(): TimeReader {
  const { zone } = usePreferences();
  return { zone, now: useNow(true, quarterHour) };
}
