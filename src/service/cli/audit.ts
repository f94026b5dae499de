import { existsSync } from "node:fs";
import { join } from "node:path";
import { auditKey } from "../audit/chain.ts";
import { type Verified, verifyChain } from "../audit/verify.ts";
import type { Config } from "../config.ts";
import { readServiceSecret } from "../credentials/secret.ts";
import { createSigner } from "../credentials/signer.ts";
import { openStore } from "../store/store.ts";
import type { AuditVerify } from "./audit-verify.ts";
import type { OpenedLog } from "./log.ts";
import { storeOptions } from "./start.ts";
import type { Terminal } from "./terminal.ts";

/**
 * `wheelhouse audit verify`, beside a running service or without one.
 * @returns the exit code: 1 where an entry was altered, removed or inserted
 */
export async function auditVerify(
  config: Config,
  { head, json }: AuditVerify,
  { log }: OpenedLog,
  { print, complain }: Terminal,
): Promise<number> {
  if (config.secret === null && !existsSync(join(config.dataDirectory, "secret"))) {
    complain(
      `There is no secret in ${config.dataDirectory}: set WHEELHOUSE_SECRET to that of the service, or look at --data.`,
    );
    return 1;
  }
  const key = auditKey(createSigner(readServiceSecret(config)));
  const store = await openStore({ ...storeOptions(config), log });
  try {
    const verified = await verifyChain(store, key, head);
    const isWhole = verified.problems.length === 0;
    if (json) print(JSON.stringify({ ok: isWhole, ...verified }));
    else say(verified, print);
    return isWhole ? 0 : 1;
  } finally {
    await store.close();
  }
}

function say({ entries, first, end, pending, problems }: Verified, print: Terminal["print"]): void {
  for (const { message } of problems) print(message);
  const range = first === null ? "" : `, ${first} to ${end.position}`;
  const what = `${entries} entries${range}`;
  print(
    problems.length === 0
      ? `The audit log is whole: ${what}.`
      : `The audit log is NOT whole: ${problems.length === 100 ? "at least " : ""}${problems.length} faults in ${what}.`,
  );
  if (pending > 0)
    print(`${pending} more are not sealed yet: a service that runs does that within a second.`);
  if (problems.length === 0 && end.position > 0)
    print(`Its end, to be noted elsewhere for --head: ${end.position}:${end.seal}`);
}
