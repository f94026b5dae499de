import { Capabilities } from "./capabilities.ts";
import type { Clock } from "./clock.ts";
import { ServerClock } from "./clock.ts";
import type { Caller, Gate } from "./connection.ts";
import type { Credential } from "./request.ts";
import { Traffic } from "./traffic.ts";

/** What the outside world gives to the data layer. */
export interface CallerOptions {
  /** The page's origin, below which all connections are: `http://localhost:7700`. */
  readonly origin: string;
  readonly fetch: typeof fetch;
  readonly clock: Clock;
}

/** Uses one credential and passes its refusal on: for checks before a sign-in, where nobody can be asked. */
function fixedGate(credential: Credential | null): Gate {
  return { ready: async () => credential, refused: (error) => Promise.reject(error) };
}

/** A caller of a connection that nobody is signed in to yet. `path` is the connection's. */
export function freeCaller(
  path: string,
  credential: Credential | null,
  { origin, fetch, clock }: CallerOptions,
): Caller {
  return {
    base: origin + path,
    gate: fixedGate(credential),
    traffic: new Traffic({ clock, random: Math.random }),
    capabilities: new Capabilities(),
    serverClock: new ServerClock(clock),
    clock,
    fetch,
  };
}
