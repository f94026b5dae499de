import { createHash } from "node:crypto";
import type { JsonValue } from "../json.ts";
import { cutText, inSteps } from "../json-pieces.ts";
import { isFresh } from "./interactions.ts";

/** What is in a list, in its order. */
interface Page {
  readonly ids: readonly string[];
  /** Absent: the list has no pages. */
  readonly next_cursor?: string | null;
}

/** A list of which nobody knows how long it is. */
export interface LongList<P extends Page, Item> {
  /** Of the list in the answer. */
  readonly name: string;
  readonly ifNoneMatch: string | null;
  /** What is in it; asked for again when a long one begins, as it may wait for long until then. */
  readonly readPage: () => Promise<P>;
  /** As many as one read gives, and the place where the next one goes on. @param from a place, from 0 */
  readonly readItems: (page: P, from: number) => Promise<{ readonly items: Item[]; readonly next: number }>;
  /** What its rows say: something else with each change that the list shows. Of a long one alone. */
  readonly readMarks: (page: P) => Promise<readonly string[]>;
}

type Listed<P extends Page, Item> =
  | { readonly type: "whole"; readonly page: P; readonly items: Item[] }
  | { readonly type: "not-modified"; readonly etag: string }
  | { readonly type: "pieces"; readonly pieces: AsyncIterable<string>; readonly etag: string };

/** A list whole where one read has all of it; else a reply that reads it piece by piece, with a tag of its own. */
export async function replyWithList<P extends Page, Item>(list: LongList<P, Item>): Promise<Listed<P, Item>> {
  const page = await list.readPage();
  const { items, next } = await list.readItems(page, 0);
  if (next === page.ids.length) return { type: "whole", page, items };
  const shown = [page.ids, await list.readMarks(page), page.next_cursor];
  const etag = createHash("sha256").update(JSON.stringify(shown)).digest("base64url").slice(0, 22);
  if (isFresh(list.ifNoneMatch, etag)) return { type: "not-modified", etag };
  return { type: "pieces", pieces: listPieces(list), etag };
}

/** A long list as JSON text. @param beside what the object has beside it */
export async function* listPieces<P extends Page, Item>(
  list: Pick<LongList<P, Item>, "name" | "readPage" | "readItems">,
  beside: Readonly<Record<string, JsonValue>> = {},
): AsyncGenerator<string> {
  const page = await list.readPage();
  yield JSON.stringify({ ...beside, [list.name]: [] }).slice(0, -2);
  let isFirst = true;
  for (let at = 0; at < page.ids.length; ) {
    const { items, next } = await list.readItems(page, at);
    at = next;
    if (items.length === 0) continue;
    yield* cutText((isFirst ? "" : ",") + JSON.stringify(items).slice(1, -1));
    isFirst = false;
  }
  const { next_cursor } = page;
  yield next_cursor === undefined ? "]}" : `],"next_cursor":${JSON.stringify(next_cursor)}}`;
}

/** Characters of JSON text that are written at once. */
const longest = 256 * 1024;

/**
 * A reply that is in memory whole, written in steps with pauses for all others; its tag is that of its JSON text.
 * @returns null where it is short
 */
export async function replyInSteps(
  body: JsonValue,
  ifNoneMatch: string | null,
): Promise<Exclude<Listed<Page, never>, { readonly type: "whole" }> | null> {
  const hash = createHash("sha256");
  let size = 0;
  for await (const piece of inSteps(body)) {
    hash.update(piece);
    size += piece.length;
  }
  if (size <= longest) return null;
  const etag = hash.digest("base64url").slice(0, 22);
  if (isFresh(ifNoneMatch, etag)) return { type: "not-modified", etag };
  return { type: "pieces", pieces: inSteps(body), etag };
}
