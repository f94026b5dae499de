import * as z from "zod/mini";
import { endpoint } from "./define.ts";
import { clampedInteger, flag, nextCursor, person, sortOrder, text, utcTime } from "./wire.ts";

/** What is known of a file beyond its name; may be empty. `size` in bytes. */
export const artifactMetadata = z.looseObject({
  media_type: z.nullish(z.string()),
  size: z.nullish(z.int()),
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
  /** A signed link that works for a limited time. Never log it. */
  url: z.nullable(z.string()),
  creator: z.nullable(person),
});
export type Artifact = z.output<typeof artifact>;

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

const listing = z.object({ artifacts: z.array(artifact), next_cursor: nextCursor });

/** §4.8. Deleted artifacts are never returned, nor personal ones to a team key. */
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
  response: listing,
  errors: ["not_found", "invalid_page_size", "invalid_sort", "invalid_cursor"],
});

/** Own: the artifacts of all agents that the caller may see. */
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
    /** Only those that the caller gave to somebody. */
    shared_by_me: z.optional(flag),
  }),
  response: listing,
  errors: ["invalid_page_size", "invalid_sort", "invalid_cursor"],
});

/** Public: a fresh signed link to one version of an artifact, by default the newest. */
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
