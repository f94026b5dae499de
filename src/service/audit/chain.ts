import { createHash, createHmac } from "node:crypto";
import { type Selectable, sql } from "kysely";
import type { Signer } from "../credentials/signer.ts";
import type { AuditHeadTable } from "../store/schema-audit.ts";
import type { Tx } from "../store/store.ts";

/** Seals of one secret of the installation. */
export interface AuditKey {
  /** Tells seals of this secret from those of another one. */
  readonly id: string;
  /** HMAC-SHA-256 over the entry and the seal before it. */
  sealEntry(before: Buffer, entry: ChainedEntry): Buffer;
  /** The same over where the chain begins and ends. */
  sealHead(head: Head): Buffer;
}

/** An entry as it is sealed: the texts as the database gives them, to the byte. */
export interface ChainedEntry {
  readonly position: number;
  /** To the microsecond, in UTC. */
  readonly at: string;
  readonly entry: string;
}

/** Where the chain begins and ends. */
export interface Head {
  /** The entry before the first one that is kept; 0: none was removed. */
  readonly firstPosition: number;
  readonly firstSeal: Buffer;
  readonly lastPosition: number;
  readonly lastSeal: Buffer;
}

/** Before the first entry of all. */
const nothing = Buffer.alloc(32);
export const emptyHead: Head = { firstPosition: 0, firstSeal: nothing, lastPosition: 0, lastSeal: nothing };

/** @param signer of the installation's secret */
export function auditKey(signer: Pick<Signer, "derive">): AuditKey {
  const key = signer.derive("audit");
  const mac = (parts: readonly (string | number)[]) =>
    createHmac("sha256", key).update(JSON.stringify(parts)).digest();
  return {
    id: createHash("sha256").update(key).digest("base64url").slice(0, 8),
    sealEntry: (before, { position, at, entry }) =>
      mac(["entry", before.toString("hex"), position, at, entry]),
    sealHead: ({ firstPosition, firstSeal, lastPosition, lastSeal }) =>
      mac(["head", firstPosition, firstSeal.toString("hex"), lastPosition, lastSeal.toString("hex")]),
  };
}

/** A time column as it is sealed. */
export const sealedTime = sql<string>`to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/** Where the chain is said to begin and end, and whether this secret has sealed that. */
export interface ReadHead extends Head {
  readonly state: "holds" | "altered" | "of another secret";
  /** Of the secret that is said to have sealed it. */
  readonly keyId: string;
}

/** @returns null where there is none */
export async function readHead(tx: Tx, key: AuditKey, lock: boolean): Promise<ReadHead | null> {
  const rows = tx.selectFrom("audit_head").selectAll();
  const row = await (lock ? rows.forUpdate() : rows).executeTakeFirst();
  return row === undefined ? null : toHead(row, key);
}

function toHead(row: Selectable<AuditHeadTable>, key: AuditKey): ReadHead {
  const head = {
    firstPosition: Number(row.first_position),
    firstSeal: row.first_seal,
    lastPosition: Number(row.last_position),
    lastSeal: row.last_seal,
    keyId: row.key_id,
  };
  if (row.key_id !== key.id) return { ...head, state: "of another secret" };
  return { ...head, state: key.sealHead(head).equals(row.seal) ? "holds" : "altered" };
}

/** Writes where the chain begins and ends, sealed with the key. */
export async function writeHead(tx: Tx, key: AuditKey, head: Head): Promise<void> {
  const values = {
    first_position: String(head.firstPosition),
    first_seal: head.firstSeal,
    last_position: String(head.lastPosition),
    last_seal: head.lastSeal,
    key_id: key.id,
    seal: key.sealHead(head),
  };
  await tx
    .insertInto("audit_head")
    .values(values)
    .onConflict((conflict) => conflict.column("one").doUpdateSet(values))
    .execute();
}
