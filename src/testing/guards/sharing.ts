import type { Guard } from "./guard.ts";

/** What a shared link says of the file that it opens. */
export const sharingGuards: readonly Guard[] = [
  {
    id: "link-says-its-role",
    codes: ["S-373"],
    holds: "A shared link says the role that it was given.",
    file: "src/service/areas/shared.ts",
    text: 'role: opened.link_role ?? "viewer"',
    off: 'role: "viewer"',
    tests: ["src/service/areas/shared.test.ts"],
    named: "only its role changes",
  },
  {
    id: "link-previews-what-is-shown",
    codes: ["S-373"],
    holds: "A shared link offers a preview only of what browsers show in place.",
    file: "src/service/areas/shared.ts",
    text: 'servedType(opened.media_type).inline ? sign("inline") : null',
    off: 'servedType(opened.media_type) ? sign("inline") : null',
    tests: ["src/service/areas/shared.test.ts"],
    named: "has no preview",
  },
  {
    id: "closed-links-have-no-address",
    codes: ["S-373"],
    holds: "A link that is closed has no address, whatever closes it.",
    file: "src/service/store/migrations/0007_sharing.ts",
    text: "check ((link_mode = 'none') = (link_id is null))",
    off: "check (true)",
    tests: ["src/service/areas/shared.test.ts"],
    named: "the database holds to that",
  },
  {
    id: "shares-follow-addresses",
    codes: ["S-397"],
    holds: "What was shared with a person goes along when their address changes.",
    file: "src/service/store/migrations/0088_moved_addresses.ts",
    text: "where lower(old_row.email) <> lower(new_row.email)",
    off: "where false",
    tests: ["src/service/areas/moved-address.test.ts"],
  },
  {
    id: "links-of-deactivated-renewed",
    codes: ["S-400"],
    holds: "A link that is set again after who shared it was deactivated opens.",
    file: "src/service/areas/access-change.ts",
    text: "(before.link_id === null || rests)",
    off: "before.link_id === null",
    tests: ["src/service/areas/shared.test.ts"],
    named: "S-400",
  },
];
