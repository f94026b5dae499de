import * as z from "zod/mini";

/** Milliseconds from 1970 to the last moment that `Date` knows. */
const last = 8.64e15;

/** A stored time in ms since 1970. One that is no moment, such as 1e300, reads as 1970: its record is kept, at the end. */
export const storedTime = z.pipe(
  z.number(),
  z.transform((ms: number) => (Math.abs(ms) <= last ? ms : 0)),
);
