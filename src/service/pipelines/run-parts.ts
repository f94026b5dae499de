import type { Store } from "../store/store.ts";
import { removedMeanwhile } from "../store/store-error.ts";
import type { RunHead } from "./run-reader.ts";

/** The large parts of a run, each as JSON text or as pieces of it. */
export interface RunParts<Text = string> {
  /** `{}` until the run is done. */
  readonly outputs: Text;
  readonly log: Text;
  /** The run's `files` (§2.2): `[{name, size, media_type}]`. */
  readonly files: Text;
}

type Run = Pick<RunHead, "id" | "log_count" | "log_bytes" | "state">;

/** A longer log, or longer inputs or outputs, in bytes or characters, are read piece by piece. */
export const longest = 256 * 1024;
/** Characters of inputs or outputs in one piece: for each of them the database writes all of them out. */
const valueLength = 1_000_000;
/** Rows of a log in one piece: few where they are full, and as many as it takes where each has a line, as they once had. */
const fewestRows = 4;
const mostRows = 512;

const filesSql = `(select coalesce(json_agg(json_build_object('name', name, 'size', size, 'media_type', media_type)
                                            order by created_at, name), '[]')::text
                     from run_files where execution_id = $1)`;

/**
 * The log goes up to the head's count, so that log and revision are of the same moment.
 * @returns null where one of them is long
 */
export async function readParts(store: Store, run: Run): Promise<RunParts | null> {
  const { id, log_count, log_bytes, state } = run;
  if (log_bytes > longest) return null;
  const [parts] = await store.query<RunParts & { readonly outputs: string | null }>({
    name: "run_parts",
    text: `select (select case when length(text) <= $4 then text end
                     from (select case when $3 then coalesce(result -> 'outputs', '{}')::text else '{}' end as text) o
                  ) as outputs,
                  (select case lines when '' then '[""]'
                            else coalesce(array_to_json(string_to_array(lines, E'\\n'))::text, '[]') end
                     from (select string_agg(text, E'\\n' order by seq) as lines from log_lines
                            where execution_id = $1 and seq <= $2) whole) as log,
                  ${filesSql} as files
             from executions where id = $1`,
    // As the head says, not as it may be by now: outputs are there only with DONE.
    values: [id, log_count, state === "done", longest],
  });
  if (parts === undefined) return { outputs: "{}", log: "[]", files: "[]" };
  return parts.outputs === null ? null : parts;
}

/**
 * The same piece by piece: nothing of a piece is read before the one before was taken.
 * @throws Error in the middle of a part when the run is removed meanwhile: what is missing is never left out silently
 */
export function partPieces(store: Store, run: Run): RunParts<AsyncIterable<string>> {
  return {
    outputs: outputPieces(store, run),
    log: logPieces(store, run),
    files: filePieces(store, run),
  };
}

async function* filePieces(store: Store, { id }: Run): AsyncGenerator<string> {
  const [row] = await store.query<{ files: string }>({ text: `select ${filesSql} as files`, values: [id] });
  yield row?.files ?? "[]";
}

async function* outputPieces(store: Store, { id, state }: Run): AsyncGenerator<string> {
  if (state === "done") yield* valuePieces(store, id, "outputs");
  else yield "{}";
}

/**
 * The inputs of a run as JSON text in pieces.
 * @throws Error where it is removed meanwhile
 */
export function inputPieces(store: Store, id: string): AsyncGenerator<string> {
  return valuePieces(store, id, "inputs");
}

const columns = { outputs: "result -> 'outputs'", inputs: "input -> 'inputs'" } as const;

async function* valuePieces(store: Store, id: string, which: keyof typeof columns): AsyncGenerator<string> {
  for (let from = 1; ; from += valueLength) {
    const [row] = await store.query<{ piece: string; characters: number }>({
      name: `run_${which}_piece`,
      text: `select piece, length(piece) as characters
               from (select substr(coalesce(${columns[which]}, '{}')::text, $2, $3) as piece
                       from executions where id = $1) pieces`,
      values: [id, from, valueLength],
    });
    if (row === undefined) throw removedMeanwhile(id);
    yield row.piece;
    if (row.characters < valueLength) return;
  }
}

async function* logPieces(store: Store, { id, log_count }: Run): AsyncGenerator<string> {
  let last = 0;
  let most = fewestRows;
  yield "[";
  while (last < log_count) {
    const rows = await store.query<{ seq: number; text: string }>({
      name: "run_log_piece",
      text: `select seq, text from log_lines where execution_id = $1 and seq > $2 and seq <= $3 order by seq limit $4`,
      values: [id, last, log_count, most],
    });
    const before = last;
    const texts = rows.map(({ seq, text }) => {
      const lines = text.split("\n");
      last += lines.length;
      if (last !== seq) throw removedMeanwhile(id);
      return JSON.stringify(lines).slice(1, -1);
    });
    if (last === before) throw removedMeanwhile(id);
    const piece = texts.join(",");
    yield before === 0 ? piece : `,${piece}`;
    if (piece.length < longest / 4) most = Math.min(most * 2, mostRows);
    else if (piece.length > longest) most = Math.max(Math.floor(most / 2), 1);
  }
  yield "]";
}
