import { sql } from "kysely";
import { batched } from "../store/batch.ts";
import type { Store } from "../store/store.ts";
import { removedMeanwhile } from "../store/store-error.ts";
import type { StoredMessage } from "./conversation.ts";
import type { StoredPart } from "./parts.ts";

/** What it is read from. */
export type Pieces = Pick<Store, "db" | "query">;

/** A message without its parts. */
export type StoredHead = Omit<StoredMessage, "parts">;

/** A conversation as it comes from the database: each message, and after it its parts. */
export type ConversationRow =
  /** `isCut`: `content` is only the beginning of it; `textPieces` has the whole. */
  | { readonly type: "message"; readonly message: StoredHead; readonly isCut: boolean }
  /** `seq`: of its message. */
  | { readonly type: "part"; readonly part: StoredPart; readonly seq: number };

/** Bytes of messages and parts in one read; a conversation of more is read piece by piece. */
const longest = 256 * 1024;
/** The same of each conversation where several are read at once. */
const firstBytes = 32 * 1024;
const conversationsAtOnce = 20;
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

/** Whether rows come in their order, or the newest first. */
type Direction = "forwards" | "backwards";

/** What a read is given, as SQL: the conversation, where it goes on, the last message that it may reach, and its bytes. */
interface Wanted {
  readonly id: string;
  readonly seq: string;
  readonly part: string;
  readonly last: string;
  readonly bytes: string;
}

/**
 * The rows behind a position, as many as fit into one read, and always one where there is one. First by how they lie, which is
 * known without unpacking them, then of those by how long they are.
 */
function rowsBehind({ id, seq, part, last, bytes }: Wanted, direction: Direction): string {
  const [messages, parts, end, order] =
    direction === "forwards"
      ? [`seq > ${seq}`, `(message_seq, seq) > (${seq}, ${part})`, "<=", "asc"]
      : [`seq < ${seq} + least(${part}, 1)`, `(message_seq, seq) < (${seq}, ${part})`, ">=", "desc"];
  return `
      select seq, part, id, role, created_at, value, found, coalesce(length(content) > ${textLength}, false) as is_cut,
             left(content, ${textLength}) as content
        from (select few.*, sum(coalesce(octet_length(content), octet_length(value::text), 0)) over way as total
                from (select next.*, count(*) over ()::integer as found, row_number() over way as number,
                             sum(stored) over way as lying
                        from ((select seq, 0 as part, id, role, created_at, content, null::json as value,
                                      coalesce(pg_column_size(content), 0) as stored
                                 from messages where interaction_id = ${id} and ${messages} and seq ${end} ${last}
                                order by seq ${order} limit ${mostRows})
                              union all
                              (select message_seq, seq, null, null, null, null, part, pg_column_size(part)
                                 from message_parts
                                where interaction_id = ${id} and ${parts} and message_seq ${end} ${last}
                                order by message_seq ${order}, seq ${order} limit ${mostRows})
                              order by seq ${order}, part ${order} limit ${mostRows}) as next
                      window way as (order by seq ${order}, part ${order})) as few
               where lying <= ${bytes} or number = 1
              window way as (order by seq ${order}, part ${order})) as counted
       where total <= ${bytes} or number = 1`;
}

const rowsText = `${rowsBehind({ id: "$1", seq: "$2", part: "$3", last: "$4", bytes: "$5" }, "forwards")}
       order by seq, part`;

async function readRows(store: Pieces, id: string, { seq, part }: Position, last: number): Promise<Row[]> {
  const values = [id, seq, part, last, longest];
  return await store.query<Row>({ name: "conversation_rows", text: rowsText, values });
}

/** Of which conversation the rows before a position are wanted. */
interface Before extends Position {
  readonly id: string;
}

// As subqueries: for values that it knows PostgreSQL plans anew each time, which takes longer than to find the rows.
const rowsBeforeText = `
    select place.number as conversation, behind.*
      from unnest((select $1::text[]), (select $2::integer[]), (select $3::integer[])) with ordinality as place (id, seq, part, number)
           cross join lateral (${rowsBehind(
             { id: "place.id", seq: "place.seq", part: "place.part", last: "1", bytes: "$4" },
             "backwards",
           )}) as behind
     order by place.number, behind.seq desc, behind.part desc`;

/** The rows before some positions, each the newest first. @param bytes of each, as many as one read gives at most */
async function readRowsBefore(
  store: Pieces,
  places: readonly Before[],
  bytes: number,
): Promise<Map<Before, Row[]>> {
  const rows = await store.query<Row & { readonly conversation: string }>({
    name: "conversation_rows_before",
    text: rowsBeforeText,
    values: [places.map(({ id }) => id), places.map(({ seq }) => seq), places.map(({ part }) => part), bytes],
  });
  const found = new Map<Before, Row[]>(places.map((place) => [place, []]));
  for (const row of rows) {
    const place = places[Number(row.conversation) - 1];
    if (place !== undefined) found.get(place)?.push(row);
  }
  return found;
}

/** The rows of a conversation up to a message, the newest first. */
type ReadBackwards = (id: string, upTo: number) => AsyncGenerator<ConversationRow>;

/**
 * Reads conversations from a message back, row by row: nothing is read before what came before was taken. The first rows of
 * several that begin at the same time are read by one query.
 */
export function createReadBackwards(store: Pieces): ReadBackwards {
  const first = batched((places: readonly Before[]) => readRowsBefore(store, places, firstBytes), {
    maxBatchSize: conversationsAtOnce,
  });
  return async function* (id, upTo) {
    let at: Before = { id, seq: upTo + 1, part: 0 };
    let rows = (await first(at)) ?? [];
    while (true) {
      for (const row of rows) {
        at = { id, seq: row.seq, part: row.part };
        yield conversationRow(row);
      }
      if (rows.length === 0 || (at.seq === 1 && at.part === 0)) return;
      rows = (await readRowsBefore(store, [at], longest)).get(at) ?? [];
    }
  };
}

/** All of them that an integer can name. */
const noEnd = 2 ** 31 - 1;

/**
 * The messages of a conversation so far, in order, each with its parts.
 * @returns null where it is long: `conversationRows` has it row by row
 */
export async function readShort(store: Pieces, id: string): Promise<StoredMessage[] | null> {
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

const conversationRow = (row: Row): ConversationRow =>
  row.part > 0
    ? { type: "part", part: row.value, seq: row.seq }
    : { type: "message", message: headOf(row), isCut: row.is_cut };

const headOf = ({ seq, id, role, content, created_at }: Row): StoredHead => ({
  ...{ seq, id, role, content },
  createdAt: created_at,
});

/**
 * The same row by row, up to the newest message when it begins: nothing is read before what came before was taken.
 * @param upTo `seq` of the last message that is wanted; absent: all
 * @throws Error where messages are removed meanwhile: what is missing is never left out silently
 */
export async function* conversationRows(
  store: Pieces,
  id: string,
  upTo = noEnd,
): AsyncGenerator<ConversationRow> {
  const there = () =>
    store.db
      .selectFrom("messages")
      .where("interaction_id", "=", id)
      .select([sql<number | null>`max(seq)`.as("last"), sql<number>`count(*)::integer`.as("count")]);
  const { last, count: expected } = await there().where("seq", "<=", upTo).executeTakeFirstOrThrow();
  if (last === null) throw removedMeanwhile(id);
  let at: Position = { seq: 0, part: 0 };
  let count = 0;
  while (true) {
    const rows = await readRows(store, id, at, last);
    for (const row of rows) {
      at = { seq: row.seq, part: row.part };
      if (row.part === 0) count++;
      yield conversationRow(row);
    }
    if (rows.length === 0) break;
  }
  const left = await there().where("seq", "<=", last).executeTakeFirstOrThrow();
  if (left.count !== count || count !== expected) throw removedMeanwhile(id);
}

/**
 * The text of a message in pieces; none where there is none.
 * @throws Error where it is removed meanwhile
 */
export async function* textPieces(store: Pieces, id: string, seq: number): AsyncGenerator<string> {
  for (let at = 1; ; at += textLength) {
    const [row] = await store.query<{ text: string | null; goes_on: boolean | null }>({
      name: "conversation_text",
      text: `select substr(content, $3, $4) as text, length(content) >= $3::integer + $4::integer as goes_on
               from messages where interaction_id = $1 and seq = $2`,
      values: [id, seq, at, textLength],
    });
    if (row === undefined) throw removedMeanwhile(id);
    if (row.text) yield row.text;
    if (!row.goes_on) return;
  }
}
