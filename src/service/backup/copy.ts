import { once } from "node:events";
import { Readable } from "node:stream";
import type pg from "pg";

/** Bytes that are gathered before they are handed on: a server sends each row by itself. */
const gathered = 64 * 1024;

/**
 * Runs `COPY … TO STDOUT`, of which pg knows nothing. Reads from the connection as fast as it is read here.
 * @param text the statement
 * @throws what the database throws, where it is read
 */
export function copyOut(client: pg.Client, text: string): Readable {
  let connection: pg.Connection | null = null;
  let held: Buffer[] = [];
  let length = 0;
  const stream = new Readable({
    highWaterMark: 4 * gathered,
    read: () => void connection?.stream.resume(),
  });
  // Whoever reads gets it there; where the reader failed first, nobody does.
  stream.on("error", () => undefined);
  const pass = () => {
    const isFull = length > 0 && !stream.push(Buffer.concat(held));
    held = [];
    length = 0;
    if (isFull) connection?.stream.pause();
  };
  client.query({
    submit(given: pg.Connection) {
      connection = given;
      given.query(text);
    },
    handleCopyData({ chunk }: { readonly chunk: Buffer }) {
      // What the parser gives is a view of a buffer that it uses again.
      held.push(Buffer.from(chunk));
      length += chunk.length;
      if (length >= gathered) pass();
    },
    handleCommandComplete: pass,
    handleReadyForQuery: () => void stream.push(null),
    handleError: (error: Error) => void stream.destroy(error),
  });
  return stream;
}

/**
 * Runs `COPY … FROM STDIN`, as fast as the database takes it.
 * @throws what the database or the source throws; then nothing of it is there
 */
export async function copyIn(client: pg.Client, text: string, source: AsyncIterable<Buffer>): Promise<void> {
  let sourceError: unknown = null;
  let isOver = false;
  const feed = async ({ stream }: pg.Connection) => {
    try {
      for await (const chunk of source) {
        if (isOver) return;
        if (!stream.write(message("d", chunk))) await once(stream, "drain");
      }
      stream.write(message("c", Buffer.alloc(0)));
    } catch (error) {
      sourceError = error;
      if (!isOver) stream.write(message("f", Buffer.from("the source ended early\0")));
    }
  };
  let feeding: Promise<void> = Promise.resolve();
  try {
    await new Promise<void>((resolve, reject) => {
      client.query({
        submit: (connection: pg.Connection) => connection.query(text),
        handleCopyInResponse(connection: pg.Connection) {
          feeding = feed(connection);
        },
        handleCommandComplete() {},
        handleReadyForQuery: () => resolve(),
        handleError: (error: Error) => reject(error),
      });
    });
  } catch (error) {
    throw sourceError ?? error;
  } finally {
    isOver = true;
    void feeding;
  }
}

/** A message of PostgreSQL's protocol: its letter, its length with these four bytes, its content. */
function message(letter: "d" | "c" | "f", content: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(letter, "latin1");
  head.writeUInt32BE(content.length + 4, 1);
  return Buffer.concat([head, content]);
}
