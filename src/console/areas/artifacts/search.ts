import { countParam, textParam, wordParam } from "../../lib/search-params.ts";

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

/** Reads the address; what is not understood is undefined. */
export function readArtifactSearch(raw: Record<string, unknown>): ArtifactSearch {
  const page = countParam(raw.page);
  return {
    tab: tabs.find((one) => one === raw.tab && one !== "preview"),
    agent: textParam(raw.agent),
    version: textParam(raw.version),
    with: textParam(raw.with),
    page: page === 1 ? undefined : page,
  };
}

/** A file by the conversation that it came from and its name, where its id is not known. */
export interface FindSearch {
  agent?: string | undefined;
  name?: string | undefined;
}

/** Reads the address; what is not understood is undefined. */
export function readFindSearch(raw: Record<string, unknown>): FindSearch {
  return { agent: textParam(raw.agent), name: textParam(raw.name) };
}

/** Read with the first page of the console, as all addresses are: kept small, without the words and rules of lists. */

const orders = ["newest", "oldest", "name_asc", "name_desc"] as const;
export type ArtifactOrder = (typeof orders)[number];

const spanNames = ["24h", "7d", "30d"] as const;
export type Span = (typeof spanNames)[number];

/** Everything that a list of artifacts shows stands in its address. */
export interface ArtifactsSearch {
  /** Made by the person; all without it. */
  of?: "mine" | undefined;
  /** Part of a file name. */
  q?: string | undefined;
  agent?: string | undefined;
  /** The conversation that it came from. */
  session?: string | undefined;
  /** A word of `typeWord` (kind.ts). */
  type?: string | undefined;
  /** The creator's user id. */
  by?: string | undefined;
  /** How far back. */
  since?: Span | undefined;
  sort?: ArtifactOrder | undefined;
  view?: "grid" | undefined;
  /** The row that one was at: the list comes back to it. */
  artifact?: string | undefined;
}

/** Reads the address; what is not understood is undefined. */
export function readArtifactsSearch(raw: Record<string, unknown>): ArtifactsSearch {
  return {
    of: wordParam(raw.of, "mine"),
    q: textParam(raw.q),
    agent: textParam(raw.agent),
    session: textParam(raw.session),
    type: textParam(raw.type),
    by: textParam(raw.by),
    since: wordParam(raw.since, ...spanNames),
    sort: orders.find((one) => one === raw.sort && one !== "newest"),
    view: wordParam(raw.view, "grid"),
    artifact: textParam(raw.artifact),
  };
}
