import { afterAll, beforeAll, expect, test } from "vitest";
import { type FlowHarness, flowHarness } from "../../testing/flows.ts";

let harness: FlowHarness;
beforeAll(async () => {
  harness = await flowHarness();
  const { db } = harness.store;
  const id = "source_test";
  await db
    .insertInto("knowledge_sources")
    .values({
      ...{ id, name: "Handbook", source_type: "direct_file_uploads", status: "active", scope: "personal" },
      ...{ team_id: null, created_by_user_id: "user_ada" },
    })
    .execute();
  await db
    .insertInto("knowledge_files")
    .values({
      ...{ id: "file_test", source_id: id, file_name: "a.pdf", kind: "pdf", media_type: "application/pdf" },
      ...{
        size: 1,
        sha256: "",
        content_id: "content_test",
        origin: "upload",
        status: "indexed",
        error: null,
      },
    })
    .execute();
  const passage = { file_id: "file_test", source_id: id, section: null, words: null };
  await db
    .insertInto("knowledge_passages")
    .values([
      { ...passage, seq: 1, page: 56, page_end: 56, content: "Dogs are welcome on board." },
      { ...passage, seq: 2, page: 57, page_end: 57, content: "The lantern at the stern is white." },
    ])
    .execute();
});
afterAll(() => harness.stop());

test("A knowledge_search node gives the passages with source, file, page and a link to the page", async () => {
  const { outputs } = await harness.run(
    `
  about: { type: input }
  look: { type: knowledge_search, query: "{{ about.value }}", limit: 1 }
  out: { type: output, value: "{{ look.value }}" }
  count: { type: output, value: "{{ look.count }}" }
`,
    { about: "white lantern" },
  );
  expect(outputs).toEqual({
    out: [
      {
        ...{ passage: "The lantern at the stern is white.", source: "Handbook", file: "a.pdf", page: 57 },
        link: "http://localhost/knowledge/source_test?file=file_test&page=57",
      },
    ],
    count: 1,
  });
});

test("A knowledge_search node finds nothing in sources that it does not name, and fails without words", async () => {
  const nodes = (query: string) => `
  look: { type: knowledge_search, query: "${query}", sources: [source_other] }
  out: { type: output, value: "{{ look.value }}" }
`;
  expect((await harness.run(nodes("lantern"))).outputs).toEqual({ out: [] });
  const { execution } = await harness.run(nodes("{{ 'nothing' | remove: 'nothing' }}"));
  expect(execution).toMatchObject({ state: "failed", error: expect.stringMatching(/look.*query is empty/) });
  const without = await harness.run(nodes("-lantern"));
  expect(without.execution).toMatchObject({
    state: "failed",
    error: expect.stringMatching(/look.*needs a word to look for/),
  });
});
