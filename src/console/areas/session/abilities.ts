import { getCapabilities, type Person } from "../../../contract/console.ts";
import { call } from "../../api/client.ts";
import type { Caller } from "../../api/connection.ts";
import { isMissingEndpoint } from "../../api/errors.ts";

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
