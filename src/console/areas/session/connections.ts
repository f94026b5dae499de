import * as z from "zod/mini";
import { getCapabilities, type Person } from "../../../contract/console.ts";
import { call } from "../../api/client.ts";
import type { Caller } from "../../api/connection.ts";
import { isMissingEndpoint } from "../../api/errors.ts";

/** A service that this page may talk to, named by whoever started the process. An address can never be typed. */
export interface OfferedConnection {
  readonly name: string;
  /** Below the page's origin, ends with `/api/v1`; also its identity. */
  readonly path: string;
  readonly kind: "own" | "upstream";
  /** What it has beyond the core, where the page's process said so: nothing has to be asked before the first read. */
  readonly extensions?: readonly string[] | undefined;
  /** What people call the identity provider that they can sign in with; absent: there is none. */
  readonly signIn?: string | undefined;
  /** It waits to be let go on, and ran nothing when the page was asked for. */
  readonly paused?: boolean | undefined;
}

const offered = z.object({
  name: z.string().check(z.minLength(1)),
  path: z.string().check(z.regex(/^\/(?!\/)[\w\-./%]*\/?api\/v1$/)),
  kind: z.enum(["own", "upstream"]),
  extensions: z.optional(z.array(z.string())),
  signIn: z.optional(z.string()),
  paused: z.optional(z.boolean()),
});

const fallback: readonly OfferedConnection[] = [{ name: "Wheelhouse", path: "/api/v1", kind: "own" }];

/**
 * The connections that the page's process offers, from `<meta name="wheelhouse-connections">`. Entries that are not of
 * the expected form, or that would leave the origin, are left out; without any the process itself is offered.
 */
export function readConnections(document: ParentNode): readonly OfferedConnection[] {
  const content = document.querySelector('meta[name="wheelhouse-connections"]')?.getAttribute("content");
  try {
    const list: unknown = JSON.parse(content ?? "");
    const found = (Array.isArray(list) ? list : []).flatMap((one) => {
      const parsed = offered.safeParse(one);
      return parsed.success ? [parsed.data] : [];
    });
    return found.length > 0 ? found : fallback;
  } catch {
    return fallback;
  }
}

/** What a service says of itself and of whom the credential acts for. */
export interface Abilities {
  /** What it has beyond the core; null where it has no such list. */
  readonly named: readonly string[] | null;
  /** Whose credential it is; null for a team key, and where the service does not say. */
  readonly user: { readonly id: string; readonly name: string | null } | null;
}

/** Asks the service for its extensions and for whom the credential acts. */
export async function readAbilities(caller: Caller, signal?: AbortSignal): Promise<Abilities> {
  try {
    const { data } = await call(caller, getCapabilities, {}, { signal });
    return { named: data.extensions ?? [], user: readPerson(data.caller?.user) };
  } catch (error) {
    if (isMissingEndpoint(error, getCapabilities)) return { named: null, user: null };
    throw error;
  }
}

/** A person as the service names them, in the words of the console; null without an id. */
export function readPerson(
  user: { readonly [K in keyof Person]?: Person[K] | null | undefined } | null | undefined,
): Abilities["user"] {
  if (!user?.id) return null;
  return { id: user.id, name: [user.first_name, user.last_name].filter(Boolean).join(" ") || null };
}
