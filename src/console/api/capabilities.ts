import { type Capability, ownCapabilities } from "../../contract/console.ts";
import type { Endpoint } from "../../contract/define.ts";
import { ConsoleError, isMissingEndpoint } from "./errors.ts";
import { Store } from "./store.ts";

/** What is known of a service beyond the core. Plain data, kept with the session. */
export interface Known {
  /** The extensions that the service named; null where it has no such list (a stranger's service). */
  readonly named: readonly string[] | null;
  /** Without a list: extensions that were tried, and whether they were there. */
  readonly tried: Readonly<Record<string, boolean>>;
}

/**
 * Never tried on a service that does not name them. Everything else is public and may be tried once. A test compares this
 * with the endpoint table.
 */
const own: ReadonlySet<string> = new Set(ownCapabilities);

/** Answers the one question that pages ask: `can("runs")`. One per connection. */
export class Capabilities {
  readonly known: Store<Known>;

  constructor(known: Known = { named: null, tried: {} }) {
    this.known = new Store(known);
  }

  /** Whether to offer what needs this extension. A public one counts as there until it was tried in vain. */
  readonly can = (name: Capability): boolean => {
    const { named, tried } = this.known.get();
    if (named) return named.includes(name);
    return own.has(name) ? false : (tried[name] ?? true);
  };

  /** Takes what `GET /capabilities` answered; null: the service has no such list. */
  readonly learn = (named: readonly string[] | null): void => {
    this.known.set({ named, tried: named ? {} : this.known.get().tried });
  };

  /** Remembers how a public endpoint answered on a service without a list. `error` is null after an answer. */
  readonly observe = (endpoint: Endpoint, error: unknown): void => {
    const { named, tried } = this.known.get();
    const name = endpoint.capability;
    if (named || name === null || own.has(name)) return;
    const missing = isMissingEndpoint(error, endpoint) || (!tried[name] && isVague(error));
    const there = error === null ? true : missing ? false : undefined;
    if (there === undefined || tried[name] === there) return;
    this.known.set({ named, tried: { ...tried, [name]: there } });
  };
}

/**
 * A 404 that could mean the address or the object. It counts against an extension that never answered yet; what was
 * read of the same object through the core shows the person enough.
 */
function isVague(error: unknown): boolean {
  return error instanceof ConsoleError && error.status === 404 && error.code === "not_found";
}
