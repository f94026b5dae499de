import type { Clock } from "../context.ts";
import { createSecretBox, type Sealer, type SecretBox } from "../credentials/sealer.ts";
import type { ProviderFailure } from "./provider-error.ts";

/** Why somebody was not let in. */
export type RefusalReason =
  | "cancelled"
  | "unknown"
  | "too_many"
  | "other_browser"
  | `provider_${ProviderFailure}`
  | "provider_error"
  | "no_group"
  | "no_email"
  | "email_unverified"
  | "email_in_use"
  | "deactivated";

/** What a page says of it. Groups are the provider's text: it is shown, and never more than that. */
export interface Refusal {
  readonly reason: RefusalReason;
  /** A sentence or two of our own: what happened, and what to do. */
  readonly message: string;
  /** The first of the groups that came; empty but for `no_group`. */
  readonly groups: readonly string[];
  /** How many came. */
  readonly groupCount: number;
}

/** Shown ones: their text travels in an address. */
const shownGroups = 20;
const shownLength = 60;

/** @param detail a sentence of our own about what the provider did */
export function refusal(
  reason: RefusalReason,
  name: string,
  { detail = "", groups = [] }: { readonly detail?: string; readonly groups?: readonly string[] } = {},
): Refusal {
  const message = [detail, sentences[reason](name)].filter((part) => part !== "").join(" ");
  const shown = groups
    .slice(0, shownGroups)
    .map((group) => (group.length > shownLength ? `${group.slice(0, shownLength)}…` : group));
  return { reason, message, groups: shown, groupCount: groups.length };
}

const sentences: Readonly<Record<RefusalReason, (name: string) => string>> = {
  cancelled: (name) => `The sign-in was cancelled at ${name}. Nothing was changed here.`,
  unknown: () => "This sign-in was already used, or it expired after ten minutes. Start again.",
  too_many: () => "Too many sign-ins were started from your network. Try again in ten minutes.",
  other_browser: () =>
    "It was started in another browser, or at another address of Wheelhouse, and can only be finished there. Start again here.",
  provider_unreachable: (name) =>
    `Try again in a moment. While ${name} is down, whoever runs Wheelhouse can print a sign-in link.`,
  provider_refused: () => "The code of a sign-in works once, for a short time. Start again.",
  provider_client: () => "Ask whoever runs Wheelhouse to look at sign_in in wheelhouse.yaml.",
  provider_skew: () =>
    "Ask whoever runs Wheelhouse to have both clocks set: they are more than five minutes apart.",
  provider_expired: () =>
    "Start again. If that comes again, ask whoever runs Wheelhouse to compare both clocks, and how long tokens last there.",
  provider_invalid: () =>
    "No one was signed in. Start again; if that does not help, ask whoever runs Wheelhouse. The log has the details.",
  provider_error: (name) => `${name} ended the sign-in with an error. Start again.`,
  no_group: (name) =>
    `You signed in at ${name}, but none of your groups there may use Wheelhouse. Ask whoever runs Wheelhouse, or whoever looks after groups at ${name}.`,
  no_email: (name) =>
    `${name} sent no e-mail address. Ask whoever runs Wheelhouse to have it sent (sign_in.claims.email).`,
  email_unverified: (name) =>
    `${name} does not say that your e-mail address is verified. Verify it there, then sign in again.`,
  email_in_use: (name) =>
    `Another account at ${name} already signs in with your e-mail address. Ask whoever runs Wheelhouse.`,
  deactivated: () =>
    "Your account in Wheelhouse is deactivated. Ask an admin of Wheelhouse to reactivate it.",
};

const prefix = "refused.";
const lastsMs = 600_000;

/** Carries a refusal to the sign-in page in place of a sign-in token: sealed, so that nobody can make the page say something else. */
export interface RefusalTokens {
  make(refused: Refusal): string;
  /** @returns null for anything else, and after ten minutes */
  read(token: string): Refusal | null;
}

/** @param clock says when ten minutes are over */
export function createRefusalTokens(sealer: Sealer, clock: Clock): RefusalTokens {
  const box: SecretBox<{ readonly refused: Refusal; readonly until: number }> = createSecretBox(
    sealer,
    "oidc refusal",
  );
  return {
    make: (refused) => prefix + box.seal({ refused, until: clock.now().getTime() + lastsMs }, "address"),
    read(token) {
      if (!token.startsWith(prefix)) return null;
      const found = box.open(token.slice(prefix.length), "address");
      return found === null || found.until < clock.now().getTime() ? null : found.refused;
    },
  };
}
