import { describeError } from "../../api/describe-error.ts";
import { ConsoleError, isCredentialError, isForbidden, isNotFound } from "../../api/errors.ts";
import { Refusal } from "../../lib/failure/Failure.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { everyone, foldEmail, subjectOf } from "./access.ts";
import type { AccessBody } from "./queries.ts";

/** Where a refusal belongs in the dialog, and what it says there. */
export interface Refused {
  /** The subject of the change that the service names (plan.ts); null: it is about the whole change. */
  readonly subject: string | null;
  readonly what: string;
  readonly means: string;
  readonly next: string;
  /** The caller may not manage access at all: all controls are switched off. */
  readonly isLocked: boolean;
  /** The artifact is gone for this caller. */
  readonly isGone: boolean;
  /** It is not known whether the change was made. */
  readonly isUnsure: boolean;
  readonly error: unknown;
}

/**
 * Puts the refusal of a change into words, at the field that it names (§7.2).
 * @param body what was sent, null where the refusal came before anything was
 */
export function refusalOf(error: unknown, body: AccessBody | null): Refused {
  const { what, means, next } = describeError(error);
  const failure = error instanceof ConsoleError ? error.failure : null;
  const param = failure?.kind === "http" ? failure.param : null;
  const subject = body === null || param === null ? null : subjectAt(body, param);
  const common = { subject, what, error, isLocked: false, isGone: false, isUnsure: false };
  if (isForbidden(error)) {
    const isWhole = subject === null;
    return {
      ...common,
      isLocked: isWhole && body !== null,
      means: isWhole
        ? "Nothing was changed: your role can view this, but not change it."
        : "Nothing was changed.",
      next: isWhole ? "Ask the owner or an editor." : "",
    };
  }
  if (isNotFound(error)) {
    return {
      ...common,
      isGone: true,
      means: "It was deleted, or you no longer have access. Nothing was changed.",
      next: "",
    };
  }
  if (failure?.kind === "http" && failure.status < 500 && failure.status !== 408)
    return { ...common, means: "Nothing was changed.", next };
  if (body === null) return { ...common, means: `${means} Nothing was changed.`, next };
  return {
    ...common,
    isUnsure: true,
    means: `${means} The change may or may not have been applied.`,
    next: "Apply again; nothing is applied twice.",
  };
}

/** `share.0.email` of what was sent, as the subject that it is about. */
function subjectAt(body: AccessBody, param: string): string | null {
  const [list, index] = param
    .replace(/^body\./, "")
    .replaceAll(/\[(\d+)\]/g, ".$1")
    .split(".");
  if (list === "link") return "link";
  if (list !== "share" && list !== "remove") return null;
  const item = body[list]?.[Number(index)];
  if (item === undefined) return null;
  if (item.type === "person") return subjectOf({ kind: item.type, id: foldEmail(item.email) });
  return subjectOf(item.type === "team" ? { kind: item.type, id: item.team_id } : everyone);
}

/** What the service said against the whole change; what it said of one row stands there. */
export function RefusedNotice({ refused }: { refused: Refused | null }) {
  // A refused key has its own overlay.
  if (refused === null || isCredentialError(refused.error)) return null;
  if (refused.subject !== null) {
    return (
      <Notice kind="failed" look="box" className="mb-3" title="Nothing was changed">
        One of the changes was refused. See the reason below.
      </Notice>
    );
  }
  return (
    <Notice kind="failed" look="box" className="mb-3" title={refused.what}>
      <p>
        {refused.means} {refused.next}
      </p>
      <p className="mt-1 flex items-center gap-1 text-secondary">
        <Refusal error={refused.error} />
      </p>
    </Notice>
  );
}
