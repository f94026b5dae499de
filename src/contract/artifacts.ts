import * as z from "zod/mini";
import { endpoint } from "./define.ts";
import { openEnum } from "./open-enum.ts";
import {
  clampedInteger,
  commaList,
  count,
  flag,
  nextCursor,
  person,
  sortOrder,
  text,
  time,
  utcTime,
} from "./wire.ts";

/** One of several versions of an artifact; `GET …/download?version_id=` opens it. */
export const artifactVersion = z.object({
  version_id: z.string(),
  major_version: z.int(),
  created_at: utcTime,
  /** Bytes. */
  size: z.int(),
});

/** What is known of a file beyond its name; may be empty. `size` in bytes. */
export const artifactMetadata = z.looseObject({
  media_type: z.nullish(z.string()),
  size: z.nullish(z.int()),
  /** Ours, in the room that §2.3 leaves: the versions, newest first and at most 50, where there is more than one. */
  versions: z.nullish(z.array(artifactVersion)),
});

/** §2.3. Every field but the id may be null. */
export const artifact = z.object({
  id: z.string(),
  version_id: z.nullable(z.string()),
  major_version: z.nullable(z.int()),
  agent_id: z.nullable(z.string()),
  session_id: z.nullable(z.string()),
  filename: z.nullable(z.string()),
  created_at: z.nullable(utcTime),
  metadata: z.nullable(artifactMetadata),
  /**
   * A signed link to the newest version that works for a quarter of an hour at most, and no longer than the credential
   * that asked for it may read the artifact. Shown in place where that is safe, else saved. Never log it.
   */
  url: z.nullable(z.string()),
  creator: z.nullable(person),
});
export type Artifact = z.output<typeof artifact>;

/** How the link of an artifact opens. */
export const linkMode = openEnum(["none", "anyone", "password"]);

/** With whom an artifact is shared, in numbers. */
export const sharing = z.object({
  link: linkMode,
  people: count,
  teams: count,
  organization: z.boolean(),
  /** The team that it was made for, whose members view it without a grant; null: none. Left out where it is not told. */
  made_for_team_id: z.optional(z.nullable(z.string())),
});

const filters = {
  session_id: z.optional(text),
  /** Case-insensitive part of the filename. */
  search_query: z.optional(text),
  /** Default: newest. */
  sort_order: z.optional(sortOrder),
  /** Default: 20. Out of range is clamped (§8). */
  page_size: z.optional(clampedInteger(1, 100)),
  cursor: z.optional(text),
};

/** §4.8. One row for each artifact; deleted ones are never returned, nor personal ones to a team key. */
export const listAgentArtifacts = endpoint({
  name: "listAgentArtifacts",
  tier: "core",
  section: "§4.8",
  summary: "List an agent's artifacts",
  method: "GET",
  path: "/agents/{agent_id}/artifacts",
  kind: "read",
  params: z.object({ agent_id: text }),
  query: z.object(filters),
  response: z.object({ artifacts: z.array(artifact), next_cursor: nextCursor }),
  conditional: true,
  errors: ["not_found", "invalid_page_size", "invalid_sort", "invalid_cursor"],
});

/** Own: the artifacts of all agents that the caller may see. `name_asc` and `name_desc` sort without regard to case. */
export const listArtifacts = endpoint({
  name: "listArtifacts",
  tier: "own",
  capability: "artifacts",
  section: "Own endpoints",
  summary: "List artifacts of all agents",
  method: "GET",
  path: "/artifacts",
  kind: "read",
  query: z.object({
    ...filters,
    agent_id: z.optional(text),
    team_id: z.optional(text),
    /** The creator's user id. */
    creator: z.optional(text),
    /** Media types separated by commas, such as `text/csv,image/*`. */
    media_type: z.optional(commaList),
    /** Inclusive. */
    created_after: z.optional(time),
    /** Exclusive. */
    created_before: z.optional(time),
    /** Only the caller's own that are open to somebody else; then each has `sharing`. Nothing for a team key. */
    shared_by_me: z.optional(flag),
    /**
     * Only the caller's own that a team views because they were made for it, whatever else they are open to; then each has
     * `sharing`. Nothing for a team key.
     */
    shared_through_team: z.optional(flag),
  }),
  response: z.object({
    artifacts: z.array(z.object({ ...artifact.shape, sharing: z.optional(sharing) })),
    next_cursor: nextCursor,
  }),
  conditional: true,
  errors: ["invalid_page_size", "invalid_sort", "invalid_cursor"],
});

/** Public: a fresh signed link to one version of an artifact, by default the newest. It saves the file. */
export const getArtifactDownload = endpoint({
  name: "getArtifactDownload",
  tier: "public",
  capability: "artifact_download",
  section: "Artifacts and access",
  summary: "Get a download link of an artifact",
  method: "GET",
  path: "/artifacts/{artifact_id}/download",
  kind: "read",
  params: z.object({ artifact_id: text }),
  query: z.object({ version_id: z.optional(text), team_id: z.optional(text) }),
  response: z.object({
    download_url: z.string(),
    filename: z.nullable(z.string()),
    media_type: z.nullable(z.string()),
    /** Bytes. */
    size: z.nullable(z.int()),
  }),
  errors: ["not_found"],
});
