import * as z from "zod/mini";
import { endpoint } from "./define.ts";
import { openEnum } from "./open-enum.ts";
import { utcTime } from "./wire.ts";

/**
 * `ok`; `warning`: it works, and something is worth a change; `problem`: it does not work, or loses something; `skipped`: it
 * could not be looked at here.
 */
export const findingStates = ["ok", "warning", "problem", "skipped"] as const;

/** What one look at the installation came to. */
const finding = z.object({
  /** What was looked at, such as `database.clock`: a group and what of it. */
  check: z.string(),
  state: openEnum(findingStates),
  /** A sentence without the full stop, and without secrets. */
  found: z.string(),
  /** A sentence that says what to do; null where nothing is. */
  action: z.nullable(z.string()),
});
export type DiagnosticFinding = z.output<typeof finding>;

/**
 * Own: what is wrong with the installation and what to do about it, as `wheelhouse doctor` says it on the command line. For
 * admins of the installation. Looks when it is asked, a quarter of a minute at most; who asks meanwhile gets the same look.
 */
export const getDiagnostics = endpoint({
  tier: "own",
  capability: "diagnostics",
  section: "Administration",
  name: "getDiagnostics",
  summary: "What is wrong with the installation, and what to do",
  method: "GET",
  path: "/admin/diagnostics",
  kind: "read",
  response: z.object({
    version: z.string(),
    looked_at: utcTime,
    findings: z.array(finding),
  }),
});
