import { isObject, own } from "../../../lib/json/json-value.ts";

/**
 * Whether an agent's answer says that the caller may only read it. The interface has no field for that, and most services
 * leave it out; where one names the caller's role, it is named as for artifacts (§2.4). Everything else is found out by a
 * save that is refused.
 */
export function onlyReads(agent: unknown): boolean {
  return isObject(agent) && own(agent, "role") === "viewer";
}
