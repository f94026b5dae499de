import * as z from "zod/mini";
import { linkMode } from "./artifacts.ts";
import { endpoint } from "./define.ts";
import { list } from "./limits.ts";
import { openEnum } from "./open-enum.ts";
import { count, maybeText, text, utcTime } from "./wire.ts";

/** What a grant allows. Others are kept and shown raw. */
export const role = openEnum(["viewer", "editor", "owner"]);

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
  /**
   * Own, with the capability `shared_links`, for callers who see all grants: the address to give away; null while `link`
   * is `none`. Closing the link and opening it again makes another address.
   */
  link_url: z.optional(z.nullable(z.string())),
  /**
   * Own: the team that the artifact was made for, whose members read it without a grant; null for none. Missing where the
   * caller neither sees all grants nor is in that team.
   */
  made_for_team_id: z.optional(z.nullable(z.string())),
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

/** The length of a link's password in characters, after Unicode normalization (NFKC). */
export const linkPasswordLength = { minimum: 10, maximum: 256 } as const;

/**
 * The password of a link, write-only. Compared after NFKC, so that one and the same password typed on two keyboards is
 * one; its characters are counted after that, and an emoji counts as one or more of them.
 */
export const linkPassword = z.string().check(
  z.refine((value) => isLongEnough(value), {
    error: `must have ${linkPasswordLength.minimum} to ${linkPasswordLength.maximum} characters`,
  }),
);

function isLongEnough(value: string): boolean {
  // Whatever is so long is too long, and need not be looked at.
  if (value.length > linkPasswordLength.maximum * 4) return false;
  const characters = [...value.normalize("NFKC")].length;
  return characters >= linkPasswordLength.minimum && characters <= linkPasswordLength.maximum;
}

/**
 * The change of a link (§4.7). `password` is our own extension (`link_password`): needed where the mode becomes
 * `password`, sets a new one where it is already, and is refused with the other modes. It is never answered.
 */
export const linkChange = z.object({
  mode: z.enum(["none", "anyone", "password"]),
  role: z.nullish(text),
  password: z.optional(linkPassword),
});
export type LinkChange = z.output<typeof linkChange>;

const byId = z.object({ artifact_id: text });

/** A limit of ours, for one change. */
const mostGrants = 1_000;

/**
 * §4.7. `{}` changes nothing and answers the present settings. A team key needs `team_id`, in the query or the body;
 * both and different is `invalid_parameter`.
 */
export const updateArtifactAccess = endpoint({
  name: "updateArtifactAccess",
  tier: "core",
  section: "§4.7",
  summary: "Change who may open an artifact",
  method: "PUT",
  path: "/artifacts/{artifact_id}/access",
  kind: "write",
  userHeader: true,
  params: byId,
  query: z.object({ team_id: z.optional(text) }),
  body: z.object({
    share: z.optional(list(shareItem, mostGrants)),
    remove: z.optional(list(removeItem, mostGrants)),
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

/**
 * The request header that carries the password of a shared link: `encodeURIComponent(password)`, as headers hold ASCII
 * only. Never logged, never in a URL.
 */
export const linkPasswordHeader = "x-link-password";

/**
 * Own: what a link opens, for somebody without an account; `{token}` is the last part of `link_url`. The console shows it
 * at `/shared/{token}`.
 *
 * A link in mode `password` needs `linkPasswordHeader`: without it `link_password_required`, with a wrong one
 * `link_password_wrong` (both 403, and nothing is told of the artifact). After ten wrong ones, or 60 an hour from
 * anywhere, `too_many_requests` with `Retry-After` (seconds), also for the right one.
 * A link that was closed or replaced, whose artifact was deleted, or that never was: `not_found`, the same for all.
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
  headers: z.object({ [linkPasswordHeader]: z.optional(z.string()) }),
  response: z.object({
    filename: z.string(),
    media_type: z.nullable(z.string()),
    /** Bytes. */
    size: z.nullable(z.int()),
    /** When the newest version, which is the one that is opened, was made. */
    created_at: utcTime,
    /** Who gave the link away; a name, never an e-mail. */
    shared_by: z.nullable(z.string()),
    role,
    /** Signed: saves the file. Works for a quarter of an hour at most, and ends when the link is closed or changed. */
    download_url: z.string(),
    /** The same, shown in place; null where that is not safe. */
    preview_url: z.nullable(z.string()),
  }),
  errors: [
    "not_found",
    "link_password_required",
    "link_password_wrong",
    "invalid_parameter",
    "misdirected_request",
    "too_many_requests",
    "internal",
    "unavailable",
  ],
});
