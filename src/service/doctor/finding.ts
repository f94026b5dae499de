/** What one look at an installation came to. */
export interface Finding {
  /** What was looked at, such as `database.clock`. */
  readonly check: string;
  /**
   * `ok`; `warning`: it works, and something is worth a change; `problem`: it does not work, or loses something;
   * `skipped`: it could not be looked at here.
   */
  readonly state: "ok" | "warning" | "problem" | "skipped";
  /** A sentence without the full stop, and without secrets. */
  readonly found: string;
  /** A sentence that says what to do; null where nothing is. */
  readonly action: string | null;
}

/** It works. @param found as in `Finding`, and so in those below */
export const ok = (check: string, found: string): Finding => ({ check, state: "ok", found, action: null });
/** It could not be looked at here. */
export const skipped = (check: string, found: string): Finding => ({
  ...{ check, state: "skipped", found, action: null },
});
/** It works, and something is worth a change. @param action as in `Finding` */
export const warning = (check: string, found: string, action: string): Finding => ({
  ...{ check, state: "warning", found, action },
});
/** It does not work, or loses something. @param action as in `Finding` */
export const problem = (check: string, found: string, action: string): Finding => ({
  ...{ check, state: "problem", found, action },
});
