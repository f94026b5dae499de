import { shownChange } from "../audit/changes.ts";
import { recordCommand } from "../audit/record.ts";
import type { Config } from "../config.ts";
import { randomIds } from "../context.ts";
import { createKey, listKeys, revokeKey } from "../credentials/keys.ts";
import { ServiceError } from "../service-error.ts";
import type { OpenedLog } from "./log.ts";
import { openInstallation } from "./open-installation.ts";
import type { KeysAction } from "./parse-command.ts";
import { onOneLine } from "./printable.ts";
import type { Terminal } from "./terminal.ts";

/**
 * `wheelhouse keys create|list|revoke`, beside a running service or without one; it takes effect at the next request.
 * @returns the exit code
 */
export async function keys(
  config: Config,
  action: KeysAction,
  { log }: OpenedLog,
  { print, complain }: Terminal,
): Promise<number> {
  const store = await openInstallation(config, { log });
  try {
    switch (action.type) {
      case "create": {
        const { owner, name } = action;
        const { id, secret } = await store.db.transaction().execute(async (tx) => {
          const made = await createKey(tx, randomIds, owner, name);
          await recordCommand(tx, {
            action: "key.create",
            object: { kind: "key", id: made.id, name },
            teamId: owner.kind === "team" ? owner.id : null,
            changes: [shownChange("owner", null, owner.id)],
          });
          return made;
        });
        print(secret);
        complain(`This is the only time that the key ${id} is shown.`);
        return 0;
      }
      case "list": {
        const rows = await listKeys(store.db);
        for (const row of rows) {
          const used = row.lastUsedAt === null ? "never used" : `last used ${row.lastUsedAt.toISOString()}`;
          print(`${row.id}  ${row.kind}  ${row.ownerId}  ${row.prefix}…  ${onOneLine(row.name)}  ${used}`);
        }
        if (rows.length === 0) complain("There are no keys.");
        return 0;
      }
      case "revoke": {
        const revoked = await store.db.transaction().execute(async (tx) => {
          if (!(await revokeKey(tx, action.id))) return false;
          const { name, team_id } = await tx
            .selectFrom("credentials")
            .select(["name", "team_id"])
            .where("id", "=", action.id)
            .executeTakeFirstOrThrow();
          const object = { kind: "key", id: action.id, name } as const;
          await recordCommand(tx, { action: "key.revoke", object, teamId: team_id });
          return true;
        });
        if (revoked) print(`The key ${action.id} is revoked.`);
        else complain(`There is no key ${action.id} that still works.`);
        return revoked ? 0 : 1;
      }
    }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const flag = action.type === "create" ? `--${action.owner.kind}: ` : "";
    complain(flag + error.message);
    return 1;
  } finally {
    await store.close();
  }
}
