import * as z from "zod/mini";
import { oidcStartPath } from "../../../../contract/oidc.ts";
import { describeError } from "../../../api/describe-error.ts";
import { ConsoleError } from "../../../api/errors.ts";
import { Refusal } from "../../../lib/failure/Failure.tsx";
import { buttonClass } from "../../../ui/Button.tsx";
import { cx } from "../../../ui/cx.ts";
import { Notice } from "../../../ui/Notice.tsx";
import { useWheelhouse } from "../wheelhouse.tsx";

/** Signing in with the organisation's identity provider, where this page's own service has one. */
export interface ProviderSignIn {
  /** What people call it. */
  readonly name: string;
  /** The address that leads there. */
  readonly href: string;
}

/** @param next the page to open afterwards. @returns null where the service has no provider */
export function useProviderSignIn(next: string): ProviderSignIn | null {
  const { connections } = useWheelhouse();
  const name = connections.find(({ kind }) => kind === "own")?.signIn;
  return name ? { name, href: `${oidcStartPath}?${new URLSearchParams({ next })}` } : null;
}

/** The way there, above the form for keys. */
export function ProviderButton({ provider: { name, href } }: { provider: ProviderSignIn }) {
  return (
    <>
      <a href={href} className={cx(buttonClass("primary"), "w-full")}>
        <span className="min-w-0 truncate">
          Sign in with <bdi>{name}</bdi>
        </span>
      </a>
      <p className="my-5 flex items-center gap-3 text-muted text-secondary">
        <span aria-hidden="true" className="h-px flex-1 bg-line-strong" />
        or with a key
        <span aria-hidden="true" className="h-px flex-1 bg-line-strong" />
      </p>
    </>
  );
}

/** Whether a sign-in failed at the provider, or because of what it said. */
export function isProviderRefusal(error: unknown): error is ConsoleError {
  return error instanceof ConsoleError && error.code === "sign_in_refused";
}

/** What is told of a refusal. Without its groups, or with others than texts, the reason still counts. */
const details = z.object({
  reason: z.string(),
  groups: z.optional(z.unknown()),
  group_count: z.optional(z.unknown()),
});

const titles: Readonly<Record<string, (name: string) => string>> = {
  cancelled: () => "Sign-in cancelled",
  unknown: () => "This sign-in can’t be finished",
  too_many: () => "Too many sign-ins at once",
  other_browser: () => "This sign-in belongs to another browser",
  provider_unreachable: (name) => `${name} can’t be reached`,
  provider_refused: () => "This sign-in can’t be finished",
  provider_client: (name) => `${name} doesn’t accept Wheelhouse`,
  provider_skew: (name) => `The clocks of ${name} and Wheelhouse differ`,
  provider_expired: (name) => `The answer from ${name} has expired`,
  provider_invalid: (name) => `The answer from ${name} can’t be trusted`,
  provider_error: (name) => `${name} reported an error`,
  no_group: () => "You can’t use Wheelhouse yet",
  no_email: () => "Your e-mail address is missing",
  email_unverified: () => "Your e-mail address isn’t verified",
  email_in_use: () => "Your e-mail address is already in use",
  deactivated: () => "Your account is deactivated",
};

/** What happened at the provider and what to do: in the service's words, which are never the provider's. Names of groups are text. */
export function ProviderRefused({ error, name }: { error: ConsoleError; name: string | null }) {
  const { failure } = error;
  const told = failure.kind === "http" ? failure.details : null;
  const { reason, groups: given, group_count: count } = details.safeParse(told).data ?? nothing;
  const groups = Array.isArray(given) ? given.filter((group) => typeof group === "string") : [];
  const title = titles[reason]?.(name ?? "Your identity provider") ?? "Sign-in failed";
  const more = typeof count === "number" ? count - groups.length : 0;
  return (
    <Notice kind={reason === "cancelled" ? "waits" : "failed"} look="box" title={title} className="mb-5">
      <p className="text-muted">{describeError(error).what}</p>
      {reason === "no_group" &&
        (groups.length === 0 ? (
          <p className="mt-1 text-muted">No groups came with the sign-in.</p>
        ) : (
          <>
            <p className="mt-1 text-muted">Groups that came:</p>
            <ul className="mt-1 max-h-48 overflow-y-auto">
              {groups.map((group) => (
                <li key={group} className="break-all text-mono">
                  <bdi>{group}</bdi>
                </li>
              ))}
              {more > 0 && <li className="text-muted">and {more} more</li>}
            </ul>
          </>
        ))}
      <p className="mt-1 flex items-center gap-1 text-muted text-secondary">
        <Refusal error={error} />
      </p>
    </Notice>
  );
}

const nothing: z.output<typeof details> = { reason: "" };
