import type { Scope } from "../../../../contract/scopes.ts";
import { nameOf } from "../labels.ts";

type Named = Readonly<Record<string, string>>;

/** What a program is let do, in a few words. */
const scopeNames: Named = {
  read: "Read",
  run: "Run",
  write: "Change",
} satisfies Record<Scope, string>;

/** The same as a sentence that begins with "It will be able to". */
const scopeAbout: Named = {
  read: "see agents, conversations, runs, artifacts, evaluations and knowledge that you can see",
  run: "start, continue and stop conversations and runs, answer approvals, and download, share and delete files, as you",
  write:
    "create and change agents, flows, evaluations, knowledge sources and connections to MCP servers, as you",
} satisfies Record<Scope, string>;

/** Scopes as they came; those that are not known by their own word. */
export function scopeWords(scopes: readonly (string | null)[] | null | undefined): string {
  const names = (scopes ?? []).flatMap((scope) => (scope ? [nameOf(scopeNames, scope)] : []));
  return names.length === 0 ? "Nothing" : names.join(", ");
}

/** What one scope lets a program do. */
export const scopeSentence = (scope: string): string =>
  Object.hasOwn(scopeAbout, scope) ? nameOf(scopeAbout, scope) : `do what the service calls “${scope}”`;

/** Where the answer to a program may go: a site, this device, or an app by a scheme with a dot; null for all else, such as a script. */
export function answerAddress(address: string | null | undefined): string | null {
  const isOne = /^(?:https?:\/\/|[a-z][a-z0-9+-]*\.[a-z0-9.+-]+:)/.test(address ?? "");
  return isOne && address != null ? address : null;
}
