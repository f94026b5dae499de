import { countParam, givenParams, textParam } from "../../lib/search-params.ts";

export const tabs = ["preview", "changes", "versions", "raw"] as const;
export type ArtifactTab = (typeof tabs)[number];

/** What of an artifact's page stands in its address. */
export interface ArtifactSearch {
  tab?: ArtifactTab | undefined;
  /** Its agent: the core lists artifacts by agent alone. */
  agent?: string | undefined;
  /** The number of a version; the newest without it. */
  version?: string | undefined;
  /** The version that it is compared with; the one before without it. */
  with?: string | undefined;
  /** The page of a PDF, or the number of a sheet, from 1. */
  page?: number | undefined;
}

/** Reads the address; what is not understood is left out. */
export function readArtifactSearch(raw: Record<string, unknown>): ArtifactSearch {
  const page = countParam(raw.page);
  const search: ArtifactSearch = {
    tab: tabs.find((one) => one === raw.tab && one !== "preview"),
    agent: textParam(raw.agent),
    version: textParam(raw.version),
    with: textParam(raw.with),
    page: page === 1 ? undefined : page,
  };
  return givenParams(search);
}

/** A file by the conversation that it came from and its name, where its id is not known. */
export interface FindSearch {
  agent?: string | undefined;
  name?: string | undefined;
}

export function readFindSearch(raw: Record<string, unknown>): FindSearch {
  const agent = textParam(raw.agent);
  const name = textParam(raw.name);
  return { ...(agent !== undefined && { agent }), ...(name !== undefined && { name }) };
}
