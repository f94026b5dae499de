import { useMutation } from "@tanstack/react-query";
import { describeError } from "../../api/describe-error.ts";
import type { Api } from "../../lib/api.tsx";
import { useApi } from "../../lib/api.tsx";
import { type FilePlace, placeOf } from "../../lib/markdown/links.ts";
import { useToast } from "../../ui/Toast.tsx";
import { type ArtifactIn, type ArtifactScope, findInList, versionOf } from "./queries.ts";
import { linkOf } from "./queries-of-one.ts";

/**
 * Asks for a fresh link; null where the service gives none. A link that saves cannot be framed: what is framed asks for
 * one that shows; everything else takes either. @throws ConsoleError
 */
export type Renew = (use?: "any" | "show", signal?: AbortSignal) => Promise<string | null>;

/** Which lists can hold an artifact: all of them where the service has that list, else its agent's. */
export function scopeOf(api: Api, agentId: string | null | undefined): ArtifactScope | null {
  if (api.capabilities.can("artifacts")) return { kind: "all" };
  return agentId ? { kind: "agent", agentId } : null;
}

/** What narrows a list down to one file. */
export const filtersFor = (row: Pick<ArtifactIn, "session_id" | "filename">) => ({
  ...(row.session_id && { session_id: row.session_id }),
  ...(row.filename && { search_query: row.filename }),
});

/** A fresh link to the newest version, as a list gave it: by its own endpoint, else by reading the list again (C-37). */
export function renewOf(api: Api, row: ArtifactIn): Renew {
  return async (use = "any", signal = new AbortController().signal) => {
    const link = use === "any" ? await linkOf(api, row.id, row.version_id ?? null, signal) : null;
    if (link !== null) return link.url;
    const scope = scopeOf(api, row.agent_id);
    if (scope === null) return null;
    const isIt = (one: ArtifactIn) => one.id === row.id && versionOf(one) === versionOf(row);
    return (await findInList(api, scope, filtersFor(row), isIt, { signal }))?.url ?? null;
  };
}

/** What a download needs to know. */
interface Downloadable {
  readonly name: string;
  readonly renew: Renew;
}

/** Hands a file to the browser, by a link that was asked for just now: the one on the page may have ended (C-37). */
export function useDownload() {
  const api = useApi();
  const toaster = useToast();
  const fail = (detail: string) =>
    toaster.show({ tone: "failed", title: "The file could not be downloaded", detail });
  return useMutation({
    mutationFn: async ({ name, renew }: Downloadable) => {
      const place = placeOf(api, await renew());
      if (place.kind === "nowhere") fail("The service sent no address for it.");
      else follow(place, name);
    },
    onError: (error) => {
      const { what, next } = describeError(error);
      fail(`${what} ${next}`);
    },
  });
}

/** Follows a link once. It is never on the page, so that it stays out of the history and of the middle button. */
function follow(place: Exclude<FilePlace, { kind: "nowhere" }>, name: string): void {
  const link = document.createElement("a");
  link.href = place.url;
  link.rel = "noopener noreferrer";
  link.referrerPolicy = "no-referrer";
  if (place.kind === "here") link.download = name;
  else link.target = "_blank";
  link.click();
}
