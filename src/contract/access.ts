import * as z from "zod/mini";
import { endpoint } from "./define.ts";
import { openEnum } from "./open-enum.ts";
import { count, maybeText, text, utcTime } from "./wire.ts";

/** What a grant allows. Others are kept and shown raw. */
export const role = openEnum(["viewer", "editor", "owner"]);

/** How the link of an artifact opens. */
export const linkMode = openEnum(["none", "anyone", "password"]);

/** §2.4. */
export const itemAccess = z.object({
  people: z.array(z.object({ email: z.string(), name: z.string(), role })),
  password_protected: z.boolean(),
  teams: z.array(z.object({ team_id: z.string(), role })),
  organization_access: z.nullable(z.object({ role })),
  link: linkMode,
  link_role: z.nullable(role),
  grants_visibility: openEnum(["full", "limited"]),
  /** Only for callers who see a part of the grants: role to how many people and teams hold it. */
  hidden_by_role: z.optional(
    z.record(z.string(), z.object({ people: z.optional(count), teams: z.optional(count) })),
  ),
  /** Own, with the capability `shared_links`: the address to give away; null while `link` is `none`. */
  link_url: z.optional(z.nullable(z.string())),
});
export type ItemAccess = z.output<typeof itemAccess>;

/** A grant to add (§4.7). */
export const shareItem = z.discriminatedUnion("type", [
  z.object({ type: z.literal("person"), email: text, role: text }),
  z.object({ type: z.literal("team"), team_id: text, role: text }),
  z.object({ type: z.literal("organization"), role: text }),
]);
export type ShareItem = z.output<typeof shareItem>;

/** A grant to remove (§4.7). */
export const removeItem = z.discriminatedUnion("type", [
  z.object({ type: z.literal("person"), email: text }),
  z.object({ type: z.literal("team"), team_id: text }),
  z.object({ type: z.literal("organization") }),
]);
export type RemoveItem = z.output<typeof removeItem>;

/** The change of a link (§4.7). `password` is our own extension (`link_password`): write-only, 10 to 256 characters. */
export const linkChange = z.object({
  mode: z.enum(["none", "anyone", "password"]),
  role: z.nullish(text),
  password: z.optional(
    z
      .string()
      .check(
        z.minLength(10, "must have at least 10 characters"),
        z.maxLength(256, "must have at most 256 characters"),
      ),
  ),
});
export type LinkChange = z.output<typeof linkChange>;

const byId = z.object({ artifact_id: text });

/**
 * §4.7. `{}` changes nothing and answers the present settings. A team key needs `team_id`, in the query or the body;
 * both and different is `invalid_parameter`. A personal key needs `x-auth-key` (§5.6).
 */
export const updateArtifactAccess = endpoint({
  name: "updateArtifactAccess",
  tier: "core",
  section: "§4.7",
  summary: "Change who may open an artifact",
  method: "PUT",
  path: "/artifacts/{artifact_id}/access",
  kind: "write",
  params: byId,
  query: z.object({ team_id: z.optional(text) }),
  body: z.object({
    share: z.optional(z.array(shareItem)),
    remove: z.optional(z.array(removeItem)),
    link: z.optional(linkChange),
    team_id: maybeText,
  }),
  response: z.object({
    access: itemAccess,
    /** The e-mails of newly granted people, the same for known and unknown addresses. */
    notified: z.array(z.string()),
  }),
  errors: ["invalid_access_change", "not_found"],
});

/** Public: the present settings, without a change. */
export const getArtifactAccess = endpoint({
  name: "getArtifactAccess",
  tier: "public",
  capability: "artifact_access",
  section: "Artifacts and access",
  summary: "Get who may open an artifact",
  method: "GET",
  path: "/artifacts/{artifact_id}/access",
  kind: "read",
  params: byId,
  query: z.object({ team_id: z.optional(text) }),
  response: z.object({ access: itemAccess }),
  errors: ["not_found"],
});

/** The request header that carries the password of a shared link, percent-encoded UTF-8. Never logged, never in a URL. */
export const linkPasswordHeader = "x-link-password";

/**
 * Own: what a link opens, for somebody without an account. A link in mode `password` needs `linkPasswordHeader`.
 * A link that was closed answers `not_found`, like one that never was.
 */
export const openSharedLink = endpoint({
  name: "openSharedLink",
  tier: "own",
  capability: "shared_links",
  section: "Artifacts and access",
  summary: "Open a shared link",
  method: "GET",
  path: "/shared/{token}",
  auth: "none",
  kind: "read",
  params: z.object({ token: text }),
  response: z.object({
    filename: z.string(),
    media_type: z.nullable(z.string()),
    /** Bytes. */
    size: z.nullable(z.int()),
    created_at: utcTime,
    /** Who gave the link away; a name, never an e-mail. */
    shared_by: z.nullable(z.string()),
    role,
    /** Signed, for a limited time. */
    download_url: z.string(),
  }),
  errors: [
    "not_found",
    "link_password_required",
    "link_password_wrong",
    "invalid_parameter",
    "too_many_requests",
    "internal",
    "unavailable",
  ],
});
