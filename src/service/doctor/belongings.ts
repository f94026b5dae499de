import { readFileSync } from "node:fs";
import { join } from "node:path";
import type pg from "pg";
import { auditKey } from "../audit/chain.ts";
import type { Config } from "../config.ts";
import { createSigner } from "../credentials/signer.ts";
import { lookForFiles } from "../files/lost-files.ts";
import { openFiles, placeText } from "../files/open-files.ts";
import { sentenceOf } from "../store/store-error.ts";
import { type Finding, ok, problem, skipped, warning } from "./finding.ts";

/** What belongs to a database, and lies elsewhere. */
export type BelongingsConfig = Pick<Config, "secret" | "dataDirectory" | "filesAt" | "filesAlsoAt">;

/** The secret of this configuration; null before the first start, or where it cannot be read. */
export function ownSecret({
  secret,
  dataDirectory,
}: Pick<Config, "secret" | "dataDirectory">): string | null {
  try {
    return secret ?? readFileSync(join(dataDirectory, "secret"), "utf8").trim();
  } catch {
    return null;
  }
}

/** Whether secret and files are those of this database: another secret, or an empty place, lets everything start. */
export async function examineBelongings(
  client: pg.Client,
  config: BelongingsConfig,
): Promise<readonly Finding[]> {
  const tables = ["audit_head", "run_files", "artifact_versions", "knowledge_files"];
  const { rows } = await client.query<{ there: boolean }>(
    "select count(to_regclass(name)) = $2 as there from unnest($1::text[]) name",
    [tables, tables.length],
  );
  if (rows[0]?.there !== true) return [];
  return [...(await secretOf(client, config)), ...(await filesOf(client, config))];
}

async function secretOf(client: pg.Client, config: BelongingsConfig): Promise<readonly Finding[]> {
  const check = "database.secret";
  const secret = ownSecret(config);
  const { rows } = await client.query<{ key_id: string }>("select key_id from audit_head");
  const [head] = rows;
  if (secret === null || head === undefined) return [];
  if (head.key_id === auditKey(createSigner(secret)).id)
    return [ok(check, "The secret is the one that it was used with last")];
  return [
    warning(
      check,
      "It was used last with another secret than this one",
      "Unless the secret was changed on purpose, set WHEELHOUSE_SECRET to that of the other processes or of before: links and stored sign-ins need it",
    ),
  ];
}

async function filesOf(client: pg.Client, config: BelongingsConfig): Promise<readonly Finding[]> {
  const check = "files.there";
  const place = placeText(config.filesAt);
  try {
    const { looked, lost } = await lookForFiles(client, openFiles(config));
    if (looked === 0) return [];
    if (lost === 0) return [ok(check, `Files that the database names are in ${place}`)];
    return [
      problem(
        check,
        `${lost} of ${looked} files that were looked for are not in ${place}`,
        "Look whether --files is that of before, and its disk there; what is lost is in a backup",
      ),
    ];
  } catch (error) {
    return [skipped(check, `Whether files are in ${place} cannot be seen: ${sentenceOf(error)}`)];
  }
}
