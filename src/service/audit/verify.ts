import { type Selectable, sql } from "kysely";
import type { AuditLogTable } from "../store/schema-audit.ts";
import type { Store, Tx } from "../store/store.ts";
import { type AuditKey, readHead, sealedTime } from "./chain.ts";

/** What is wrong with the chain, as a sentence; `position` names the entry where it is one. */
export interface ChainProblem {
  readonly position: number | null;
  readonly message: string;
}

/** An end of the chain that was noted before, outside of the database. */
export interface NotedHead {
  readonly position: number;
  /** In hex; its beginning is enough. */
  readonly seal: string;
}

export interface Verified {
  readonly entries: number;
  readonly first: number | null;
  /** Where the chain ends: to be noted elsewhere, for the next time. */
  readonly end: NotedHead;
  /** Recorded and not sealed yet: a second's worth. */
  readonly pending: number;
  /** What is not as it was sealed: the first hundred. */
  readonly problems: readonly ChainProblem[];
  /** What other secrets have sealed, of which these ones cannot say whether it is as it was. */
  readonly unverified: readonly ChainProblem[];
}

const pageSize = 1_000;
const mostProblems = 100;

/**
 * Reads the whole chain, at one moment of the database, and says which entries are not as they were sealed.
 * @param key of the secret that the installation has now
 * @param noted an end that it had before, if any was written down
 * @param former keys of secrets that it had before
 */
export async function verifyChain(
  { db }: Pick<Store, "db">,
  key: AuditKey,
  noted: NotedHead | null = null,
  former: readonly AuditKey[] = [],
): Promise<Verified> {
  const keys = new Map([key, ...former].map((one) => [one.id, one]));
  const one = db.transaction().setIsolationLevel("repeatable read");
  return await one.execute(async (tx) => {
    const problems: ChainProblem[] = [];
    const say = (position: number | null, message: string) => {
      if (problems.length < mostProblems) problems.push({ position, message });
    };
    const unverified: ChainProblem[] = [];
    const asNow = await readHead(tx, key, false);
    const head = asNow === null ? null : await readHead(tx, keys.get(asNow.keyId) ?? key, false);
    if (head === null) {
      const there = await tx.selectFrom("audit_log").select("position").limit(1).executeTakeFirst();
      if (there !== undefined) say(null, "What says where the log begins and ends is gone.");
    } else if (head.state === "altered") {
      say(null, "What says where the log begins and ends was altered.");
    } else if (head.state === "of another secret") {
      const message = `What says where the log begins and ends was sealed with another secret (${head.keyId}), or by someone else.`;
      unverified.push({ position: null, message });
    }
    let before = { position: head?.firstPosition ?? 0, seal: head?.firstSeal ?? Buffer.alloc(32) };
    let entries = 0;
    let first: number | null = null;
    let notedFound = noted === null;
    /** Those of other secrets that came one after the other; a chain begins with what its secrets of before have sealed. */
    const others: { run: { from: number; to: number; id: string } | null } = { run: null };
    let isOwnYet = false;
    const sayOthers = (isWithin: boolean) => {
      if (others.run === null) return;
      const { from, to, id } = others.run;
      others.run = null;
      const which = from === to ? `Entry ${from}` : `Entries ${from} to ${to}`;
      if (isWithin)
        say(
          from,
          `${which} came after entries that this secret has sealed, and is said to be sealed with another one (${id}): altered, unless the secret was another one for a while.`,
        );
      else
        unverified.push({
          position: from,
          message: `${which} cannot be verified with this secret (${key.id}), as another one (${id}) sealed ${from === to ? "it" : "them"}.`,
        });
    };
    for await (const row of rowsOf(tx)) {
      const position = Number(row.position);
      first ??= position;
      entries++;
      if (position <= before.position) {
        say(position, `Entry ${position} was inserted before the beginning of the log.`);
        continue;
      }
      if (position !== before.position + 1) sayGap(say, before.position + 1, position);
      if (head !== null && position > head.lastPosition)
        say(position, `Entry ${position} was inserted after the end of the log.`);
      else {
        const own = keys.get(row.key_id);
        if (own === undefined) {
          if (others.run?.id !== row.key_id) sayOthers(isOwnYet);
          others.run = { from: others.run?.from ?? position, to: position, id: row.key_id };
        } else {
          sayOthers(isOwnYet);
          isOwnYet = true;
          const isNext = position === before.position + 1;
          if (isNext && !own.sealEntry(before.seal, { ...row, position }).equals(row.seal))
            say(
              position,
              `Entry ${position} is not what was sealed: it, or the seal before it, was altered.`,
            );
        }
      }
      if (noted?.position === position) {
        notedFound = true;
        if (!row.seal.toString("hex").startsWith(noted.seal))
          say(
            position,
            `Entry ${position} has another seal than the one that was noted: the log was written anew.`,
          );
      }
      before = { position, seal: row.seal };
    }
    sayOthers(isOwnYet);
    if (head !== null && before.position < head.lastPosition) {
      sayGap(say, before.position + 1, head.lastPosition + 1);
    } else if (head?.lastPosition === before.position && !head.lastSeal.equals(before.seal)) {
      say(before.position, `Entry ${before.position} has another seal than the end of the log.`);
    }
    if (!notedFound && noted !== null)
      say(
        noted.position,
        noted.position <= (head?.firstPosition ?? 0)
          ? `Entry ${noted.position}, which was noted, was removed by retention since: nothing can be said of it.`
          : `Entry ${noted.position}, which was noted, is missing.`,
      );
    const { rows } = await sql<{ count: string }>`select count(*) as count from audit_pending`.execute(tx);
    const end = { position: before.position, seal: before.seal.toString("hex") };
    return { entries, first, end, pending: Number(rows[0]?.count ?? 0), problems, unverified };
  });
}

type Say = (position: number | null, message: string) => void;

/** @param to the first that is there again */
function sayGap(say: Say, from: number, to: number): void {
  say(from, to - from === 1 ? `Entry ${from} is missing.` : `Entries ${from} to ${to - 1} are missing.`);
}

type Row = Pick<Selectable<AuditLogTable>, "position" | "key_id" | "seal"> & {
  readonly at: string;
  readonly entry: string;
};

/** All of them, by position. */
async function* rowsOf(tx: Tx): AsyncGenerator<Row> {
  for (let after = "-1"; ; ) {
    const { rows } = await sql<Row>`
      select position, key_id, seal, ${sealedTime} as at, entry::text as entry from audit_log
       where position > ${after} order by position limit ${sql.lit(pageSize)}`.execute(tx);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.position;
  }
}
