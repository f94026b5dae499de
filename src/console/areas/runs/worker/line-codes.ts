import type { Level } from "../log/line.ts";

/** How the level of a line is written in one byte. */
export const levelCodes: Readonly<Record<Level, number>> = { plain: 0, warning: 1, error: 2 };

/** Set on a line that was written over the one before it, as a progress bar is by carriage returns. */
export const overwrites = 4;
