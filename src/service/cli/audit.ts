import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { auditKey } from "../audit/chain.ts";
import { type Verified, verifyChain } from "../audit/verify.ts";
import type { Config } from "../config.ts";
import { readServiceSecret } from "../credentials/secret.ts";
import { createSigner } from "../credentials/signer.ts";
import { codeOf } from "../store/store-error.ts";
import type { AuditVerify } from "./audit-verify.ts";
import type { OpenedLog } from "./log.ts";
import { openInstallation } from "./open-installation.ts";
import type { Terminal } from "./terminal.ts";
import { UsageError } from "./usage-error.ts";

/**
 * `wheelhouse audit verify`, beside a running service or without one.
 * @returns the exit code: 1 where an entry was altered, removed or inserted, 3 where some cannot be verified with the secrets given
 * @throws UsageError for a file of secrets that holds none
 */
export async function auditVerify(
  config: Config,
  { head, formerSecrets, json }: AuditVerify,
  { log }: Pick<OpenedLog, "log">,
  { print, complain }: Terminal,
): Promise<number> {
  if (config.secret === null && !existsSync(join(config.dataDirectory, "secret"))) {
    complain(
      `There is no secret in ${config.dataDirectory}: set WHEELHOUSE_SECRET to that of the service, or look at --data.`,
    );
    return 1;
  }
  const key = keyOf(readServiceSecret(config));
  const former = formerSecrets === null ? [] : readSecrets(formerSecrets).map(keyOf);
  const store = await openInstallation(config, { log });
  try {
    const verified = await verifyChain(store, key, head, former);
    const isWhole = verified.problems.length === 0 && verified.unverified.length === 0;
    if (json) print(JSON.stringify({ ok: isWhole, ...verified }));
    else say(verified, print);
    return isWhole ? 0 : verified.problems.length > 0 ? 1 : 3;
  } finally {
    await store.close();
  }
}

const keyOf = (secret: string) => auditKey(createSigner(secret));

/** @throws UsageError */
function readSecrets(file: string): string[] {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new UsageError(`--former-secrets: ${file} cannot be read (${codeOf(error)})`);
  }
  const secrets = text.split("\n").flatMap((line) => line.trim() || []);
  if (secrets.length > 0 && secrets.every((secret) => secret.length >= 32)) return secrets;
  throw new UsageError("--former-secrets must be a file with a secret of 32 characters or more on each line");
}

function say(verified: Verified, print: Terminal["print"]): void {
  const { entries, first, end, pending, problems, unverified } = verified;
  for (const { message } of [...problems, ...unverified]) print(message);
  const range = first === null ? "" : `, ${first} to ${end.position}`;
  const what = `${entries} entries${range}`;
  print(
    problems.length === 0
      ? unverified.length === 0
        ? `The audit log is whole: ${what}.`
        : `A part of the audit log cannot be verified: ${what}. If the secret was changed, give those of before with --former-secrets FILE; if it never was, that part was altered.`
      : `The audit log is NOT whole: ${problems.length === 100 ? "at least " : ""}${problems.length} faults in ${what}.`,
  );
  if (pending > 0)
    print(`${pending} more are not sealed yet: a service that runs does that within a second.`);
  if (problems.length === 0 && unverified.length === 0 && end.position > 0)
    print(`Its end, to be noted elsewhere for --head: ${end.position}:${end.seal}`);
}
