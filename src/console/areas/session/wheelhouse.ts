import type { QueryClient } from "@tanstack/react-query";
import type { PollEnvironment } from "../../api/poll-environment.ts";
import type { Store } from "../../api/store.ts";
import type { Api } from "../../lib/api/api.ts";
import type { OfferedConnection } from "./connections.ts";
import type { Session } from "./session.ts";
import type { Answers, CheckOptions, SignInDraft } from "./sign-in.ts";
import type { SignedIn } from "./signed-in.ts";

/** How the page load began. */
export type Arrival =
  | { readonly kind: "ordinary" }
  | { readonly kind: "link-refused"; readonly error: unknown };

/** Everything that one page load has: made once by main.tsx, and anew by each test. */
export interface Wheelhouse {
  readonly connections: readonly OfferedConnection[];
  readonly session: Session;
  /** The signed-in connection; null while nobody is. Another object when another person or team signs in. */
  readonly api: Store<Api | null>;
  readonly queries: QueryClient;
  readonly polling: PollEnvironment;
  /** Finds an earlier sign-in, or uses the link in the address. Resolves when `session.state` is settled. */
  start(): Promise<Arrival>;
  probe(connection: OfferedConnection, signal?: AbortSignal): Promise<Answers>;
  /** Runs the checks of a sign-in; `session.signIn` or `session.renew` takes its result. */
  check(draft: SignInDraft, options: Pick<CheckOptions, "signal" | "onChecks">): Promise<SignedIn | null>;
  close(): void;
}
