import type { Endpoint } from "../../contract/define.ts";
import { neededScope, scopes } from "../../contract/scopes.ts";
import type { Caller } from "../areas/handler.ts";
import { ServiceError } from "../service-error.ts";

/**
 * Whether a program was let do what the endpoint does; of all else than a program's token nothing is asked. What its person may do
 * is asked besides, as for their own credentials.
 * @throws ServiceError `forbidden` (403)
 */
export function requireScope(caller: Caller, endpoint: Pick<Endpoint, "name" | "kind">): void {
  if (caller.kind === "team" || caller.scopes === undefined) return;
  const scope = neededScope(endpoint);
  if (scope !== null && caller.scopes.includes(scope)) return;
  const held = caller.scopes;
  throw new ServiceError("forbidden", {
    message:
      scope === null
        ? "No program may do this: people do it themselves."
        : `The program was not let do this: it takes the scope ${scope}.`,
    details: { scope },
    // With what it has: a program that asks again asks for all that it needs.
    ...(scope !== null && { scopes: scopes.filter((one) => one === scope || held.includes(one)) }),
  });
}
