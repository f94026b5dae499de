import { type Kysely, sql } from "kysely";
import type { JsonObject } from "../json.ts";
import { toJson } from "../store/json.ts";
import { takeAdvisoryLock } from "../store/lock.ts";
import type { Database } from "../store/schema.ts";
import type { Tx } from "../store/store.ts";
import type { ConnectionKey } from "./connection-rows.ts";
import type { ToolDefinition, ToolWords } from "./definition.ts";
import { scopeKey } from "./owner.ts";

/** What a tool said of itself; what is missing was not kept when it was looked at. */
export type PreviousDefinition = Pick<ToolWords, "description" | "inputSchema"> & Partial<ToolWords>;

/** Why a tool must not be called: nobody has looked at what it says of itself now. */
export interface Held {
  readonly since: Date;
  /** As it was looked at last; null: the tool is new. */
  readonly before: PreviousDefinition | null;
}

/** What is known of one tool. */
export interface ToolPin {
  /** Of the definition that may be used; null while a new tool waits. */
  readonly hash: string | null;
  readonly held: Held | null;
  /** Of the definition that the server gave last, whether anybody has looked at it or not. */
  readonly lastHash: string | null;
}

/**
 * The definitions of tools as they were looked at (S-47). The first sight of a server's tools pins them all; whatever
 * changes or appears afterwards is held until somebody looks.
 */
export interface ToolPins {
  /** Compares what the server says now, all of it, with what is pinned. */
  see(key: ConnectionKey, tools: readonly ToolDefinition[]): Promise<ReadonlyMap<string, ToolPin>>;
  find(key: ConnectionKey, tool: string): Promise<ToolPin | null>;
  /**
   * Takes definitions as looked at: all of them or none.
   * @param by null: a team's key
   * @param within done in the same transaction, where they are taken
   * @returns false where one of them is not what the server said last
   */
  approve(
    key: ConnectionKey,
    tools: readonly { readonly tool: string; readonly hash: string }[],
    by: string | null,
    within?: (tx: Tx) => Promise<void>,
  ): Promise<boolean>;
}

interface Row {
  readonly tool: string;
  readonly hash: string | null;
  readonly definition: { readonly [key: string]: unknown } | null;
  readonly seen_hash: string | null;
  readonly seen_at: Date | null;
}

/** What is pinned stands in the database alone: all processes see the same. */
export function createToolPins(db: Kysely<Database>): ToolPins {
  const rowsOf = (on: Kysely<Database> | Tx, { serverId, scope, address }: ConnectionKey) =>
    on
      .selectFrom("mcp_tools")
      .select(["tool", "hash", "definition", "seen_hash", "seen_at"])
      .where("server_id", "=", serverId)
      .where("owner", "=", scopeKey(scope))
      .where("address", "=", address);

  return {
    async see(key, tools) {
      const known = new Map((await rowsOf(db, key).execute()).map((row) => [row.tool, row]));
      const asBefore = tools.every(({ name, hash }) => {
        const row = known.get(name);
        return row?.hash === hash && row.seen_hash === null;
      });
      // Nearly always; a held tool of before may only be gone, which is looked at below.
      if (!asBefore || known.size !== tools.length) {
        await db.transaction().execute((tx) => see(tx, key, tools));
      }
      const after = await rowsOf(db, key).execute();
      return new Map(after.map((row) => [row.tool, pinOf(row)]));
    },
    async find(key, tool) {
      const row = await rowsOf(db, key).where("tool", "=", tool).executeTakeFirst();
      return row ? pinOf(row) : null;
    },
    approve: (key, tools, by, within) =>
      db.transaction().execute(async (tx) => {
        await lock(tx, key);
        const rows = new Map((await rowsOf(tx, key).execute()).map((row) => [row.tool, row]));
        const now = ({ tool }: { tool: string }) => rows.get(tool)?.seen_hash ?? rows.get(tool)?.hash;
        if (tools.some((one) => now(one) !== one.hash)) return false;
        await tx
          .updateTable("mcp_tools")
          .set({
            hash: sql<string>`seen_hash`,
            definition: sql<string>`seen_definition`,
            approved_at: sql<Date>`now()`,
            approved_by: by,
            seen_hash: null,
            seen_definition: null,
            seen_at: null,
          })
          .where("server_id", "=", key.serverId)
          .where("owner", "=", scopeKey(key.scope))
          .where("seen_hash", "is not", null)
          .where(
            "tool",
            "in",
            tools.map(({ tool }) => tool),
          )
          .execute();
        await within?.(tx);
        return true;
      }),
  };

  async function see(tx: Tx, key: ConnectionKey, tools: readonly ToolDefinition[]): Promise<void> {
    const { serverId, scope, address } = key;
    const owner = scopeKey(scope);
    await lock(tx, key);
    const forget = tx.deleteFrom("mcp_tools").where("server_id", "=", serverId).where("owner", "=", owner);
    const change = tx.updateTable("mcp_tools").where("server_id", "=", serverId).where("owner", "=", owner);
    // What was pinned for another address says nothing of this one (S-45).
    await forget.where("address", "!=", address).execute();
    const rows = new Map((await rowsOf(tx, key).execute()).map((row) => [row.tool, row]));
    const first = rows.size === 0;
    const listed = new Map(tools.map((tool) => [tool.name, tool]));
    const added = [...listed.values()].filter((tool) => !rows.has(tool.name));
    if (added.length > 0) {
      const values = added.map((tool) => {
        return {
          ...{ server_id: serverId, owner, address },
          tool: tool.name,
          ...(first ? pinned(tool) : notPinned),
          ...seen(first ? null : tool),
        };
      });
      await tx.insertInto("mcp_tools").values(values).execute();
    }
    for (const [name, row] of rows) {
      const now = listed.get(name);
      const waits = now === undefined || now.hash === row.hash ? null : now;
      if ((waits?.hash ?? null) === row.seen_hash) continue;
      // A tool that is gone holds nothing back; if it comes back, it is compared with what was pinned.
      if (waits === null && row.hash === null) await forget.where("tool", "=", name).execute();
      else await change.set(seen(waits)).where("tool", "=", name).execute();
    }
  }
}

const notPinned = { hash: null, definition: null, approved_at: null, approved_by: null };

function pinned(tool: ToolDefinition) {
  return { ...notPinned, hash: tool.hash, definition: definitionText(tool) };
}

/** @param waits the definition that nobody has looked at; null: none waits */
function seen(waits: ToolDefinition | null) {
  return {
    seen_hash: waits?.hash ?? null,
    seen_definition: waits && definitionText(waits),
    seen_at: waits && sql<Date>`now()`,
  };
}

/** Of two listings at the same time the second compares with what the first wrote. */
async function lock(tx: Tx, { serverId, scope }: ConnectionKey): Promise<void> {
  await takeAdvisoryLock(tx, `mcp tools ${serverId} ${scopeKey(scope)}`);
}

function definitionText({ description, inputSchema, title, outputSchema, annotations }: ToolWords): string {
  return toJson({ description, inputSchema, title, outputSchema, annotations });
}

function pinOf({ hash, definition, seen_hash, seen_at }: Row): ToolPin {
  if (seen_hash === null || seen_at === null) return { hash, held: null, lastHash: hash };
  const held = { since: seen_at, before: definition && wordsOf(definition) };
  return { hash, held, lastHash: seen_hash };
}

function wordsOf(definition: NonNullable<Row["definition"]>): PreviousDefinition {
  const { description, title } = definition;
  const has = (key: keyof ToolWords) => Object.hasOwn(definition, key);
  return {
    description: typeof description === "string" ? description : "",
    inputSchema: objectOf(definition.inputSchema) ?? {},
    ...(has("title") && { title: typeof title === "string" ? title : null }),
    ...(has("outputSchema") && { outputSchema: objectOf(definition.outputSchema) }),
    ...(has("annotations") && { annotations: objectOf(definition.annotations) }),
  };
}

function objectOf(value: unknown): JsonObject | null {
  return typeof value === "object" && value !== null ? (value as JsonObject) : null;
}
