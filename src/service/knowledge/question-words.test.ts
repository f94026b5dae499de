import { afterAll, beforeAll, expect, it } from "vitest";
import { type FreshStore, freshStore } from "../../testing/database.ts";
import { addPeople } from "../../testing/people.ts";
import { searchPassages } from "./search.ts";

let fresh: FreshStore;
beforeAll(async () => {
  fresh = await freshStore();
  await addPeople(fresh.store);
  const { db } = fresh.store;
  const made = { source_type: "direct_file_uploads", scope: "personal", created_by_user_id: "user_ann" };
  await db
    .insertInto("knowledge_sources")
    .values({ id: "source", name: "Ropes", status: "active", ...made })
    .execute();
  const content = {
    kind: "text",
    media_type: "text/plain",
    size: 1,
    sha256: "x",
    content_id: "content",
  } as const;
  const file = {
    id: "file",
    source_id: "source",
    file_name: "a.txt",
    origin: "upload",
    status: "indexed",
  } as const;
  await db
    .insertInto("knowledge_files")
    .values({ ...file, ...content })
    .execute();
  await db
    .insertInto("knowledge_passages")
    .values(
      ["hawser", "\u6cca\u6e2f"].map((text, seq) => ({
        file_id: "file",
        seq,
        source_id: "source",
        content: text,
        words: text,
      })),
    )
    .execute();
});
afterAll(() => fresh.drop());

async function found(question: string) {
  const reader = { userId: "user_ann", teams: "of user", organization: true } as const;
  const asked = { question, limit: 10, sourceIds: null, sourceTypes: null };
  return (await searchPassages(fresh.store.db, reader, asked))?.map(({ content }) => content);
}

it("S-348: of a question 64 words are looked for, as each makes all of them slower", async () => {
  const others = (count: number) => Array.from({ length: count }, (_, at) => `other${at}`).join(" ");
  expect(await found(`${others(63)} hawser`)).toEqual(["hawser"]);
  expect(await found(`${others(64)} hawser`)).toEqual([]);
  expect(await found(`hawser ${others(200)}`)).toEqual(["hawser"]);
});

it("S-348: where words have no spaces between them, each letter is one", async () => {
  const others = (count: number) =>
    String.fromCharCode(...Array.from({ length: count }, (_, at) => 0x4e00 + at));
  expect(await found(`${others(62)}\u6cca\u6e2f`)).toEqual(["\u6cca\u6e2f"]);
  expect(await found(`${others(64)}\u6cca\u6e2f`)).toEqual([]);
});
