import { sql } from "kysely";
import type { Store } from "../store/store.ts";
import type { StoredMessage } from "./conversation.ts";
import type { StoredPart } from "./parts.ts";

/** A message without its parts. */
export type StoredHead = Omit<StoredMessage, "parts">;

/** A conversation as it comes from the database: each message, and after it its parts. */
export type ConversationRow =
  /** `isCut`: `content` is only the beginning of it; `textPieces` has the whole. */
  | { readonly type: "message"; readonly message: StoredHead; readonly isCut: boolean }
  | { readonly type: "part"; readonly part: StoredPart };

/** Bytes of messages and parts in one read; a conversation of more is read piece by piece. */
const longest = 256 * 1024;
/** Rows of one read. */
const mostRows = 1_000;
/** Characters of a message's text in one read. */
const textLength = 250_000;

/** Where a read goes on: behind a message's row, whose `part` is 0, or behind one of its parts. */
interface Position {
  readonly seq: number;
  readonly part: number;
}

interface Row extends Position {
  readonly id: string;
  readonly role: "user" | "assistant";
  readonly content: string | null;
  readonly created_at: Date;
  readonly value: StoredPart;
  /** Whether `content` is only the beginning. */
  readonly is_cut: boolean;
  /** Rows that were there to be read; those that make it too long were left out. */
  readonly found: number;
}

/**
 * The rows behind a position, as many as fit into one read, and always one where there is one. First by how they lie, which is
 * known without unpacking them, then of those by how long they are.
 */
async function readRows(store: Store, id: string, { seq, part }: Position, last: number): Promise<Row[]> {
  return await store.query<Row>({
    name: "conversation_rows",
    text: `
      select seq, part, id, role, created_at, value, found, coalesce(length(content) > $7, false) as is_cut,
             left(content, $7) as content
        from (select few.*, sum(coalesce(octet_length(content), octet_length(value::text), 0)) over way as total
                from (select next.*, count(*) over ()::integer as found, row_number() over way as number,
                             sum(stored) over way as lying
                        from ((select seq, 0 as part, id, role, created_at, content, null::json as value,
                                      coalesce(pg_column_size(content), 0) as stored
                                 from messages where interaction_id = $1 and seq > $2 and seq <= $4
                                order by seq limit $5)
                              union all
                              (select message_seq, seq, null, null, null, null, part, pg_column_size(part)
                                 from message_parts
                                where interaction_id = $1 and (message_seq, seq) > ($2, $3) and message_seq <= $4
                                order by message_seq, seq limit $5)
                              order by seq, part limit $5) as next
                      window way as (order by seq, part)) as few
               where lying <= $6 or number = 1
              window way as (order by seq, part)) as counted
       where total <= $6 or number = 1
       order by seq, part`,
    values: [id, seq, part, last, mostRows, longest, textLength],
  });
}

/** All of them that an integer can name. */
const noEnd = 2 ** 31 - 1;

/**
 * The messages of a conversation so far, in order, each with its parts.
 * @returns null where it is long: `conversationRows` has it row by row
 */
export async function readShort(store: Store, id: string): Promise<StoredMessage[] | null> {
  const rows = await readRows(store, id, { seq: 0, part: 0 }, noEnd);
  const found = rows[0]?.found ?? 0;
  if (rows.length < found || found === mostRows || rows.some(({ is_cut }) => is_cut)) return null;
  const messages: (StoredHead & { readonly parts: StoredPart[] })[] = [];
  for (const row of rows) {
    if (row.part === 0) messages.push({ ...headOf(row), parts: [] });
    else messages.at(-1)?.parts.push(row.value);
  }
  return messages;
}

const headOf = ({ seq, id, role, content, created_at }: Row): StoredHead => ({
  ...{ seq, id, role, content },
  createdAt: created_at,
});

/**
 * The same row by row, up to the newest message when it begins: nothing is read before what came before was taken.
 * @throws Error where messages are removed meanwhile: what is missing is never left out silently
 */
export async function* conversationRows(store: Store, id: string): AsyncGenerator<ConversationRow> {
  const there = () =>
    store.db
      .selectFrom("messages")
      .where("interaction_id", "=", id)
      .select([sql<number | null>`max(seq)`.as("last"), sql<number>`count(*)::integer`.as("count")]);
  const { last } = await there().executeTakeFirstOrThrow();
  if (last === null) throw removed(id);
  let at: Position = { seq: 0, part: 0 };
  let count = 0;
  while (true) {
    const rows = await readRows(store, id, at, last);
    for (const row of rows) {
      at = { seq: row.seq, part: row.part };
      if (row.part > 0) yield { type: "part", part: row.value };
      else {
        count++;
        yield { type: "message", message: headOf(row), isCut: row.is_cut };
      }
    }
    if (rows.length === 0) break;
  }
  const left = await there().where("seq", "<=", last).executeTakeFirstOrThrow();
  if (left.count !== count) throw removed(id);
}

/**
 * The text of a message in pieces; none where there is none.
 * @throws Error where it is removed meanwhile
 */
export async function* textPieces(store: Store, id: string, seq: number): AsyncGenerator<string> {
  for (let at = 1; ; at += textLength) {
    const [row] = await store.query<{ text: string | null; goes_on: boolean | null }>({
      name: "conversation_text",
      text: `select substr(content, $3, $4) as text, length(content) >= $3::integer + $4::integer as goes_on
               from messages where interaction_id = $1 and seq = $2`,
      values: [id, seq, at, textLength],
    });
    if (row === undefined) throw removed(id);
    if (row.text) yield row.text;
    if (!row.goes_on) return;
  }
}

function removed(id: string): Error {
  return new Error(`${id} was removed while it was read`);
}
