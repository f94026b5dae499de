import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addPeople, keyOf } from "../../testing/people.ts";
import { startService, type TestService } from "../../testing/service.ts";

let service: TestService;
let ann: string;
let teamOne: string;

beforeAll(async () => {
  service = await startService({ empty: true, work: false });
  await addPeople(service.context.store);
  ann = await keyOf(service.context.store, { kind: "person", id: "user_ann" });
  teamOne = await keyOf(service.context.store, { kind: "team", id: "team_one" });
});
afterAll(() => service.stop());

describe("the query", () => {
  test("S-24: a parameter that comes twice is refused, whatever it is", async () => {
    for (const query of [
      "user_id=user_ann&user_id=user_ben",
      "user_id=user_ann&user_id=user_ann",
      "x=1&x=2&user_id=user_ann",
    ]) {
      const answer = await service.call(ann, "GET", `/get_pl_run?run_id=r&${query}`);
      expect([answer.status, (await answer.json()).error]).toEqual([400, "invalid_parameter"]);
    }
  });

  test.each([
    ["/get_pl_run?run_id=r&user_id=user_ann&user_id=user_ben", "user_id is given more than once."],
    ["/get_pl_run?run_id=a%00b&user_id=user_ann", "run_id holds a character that cannot be kept."],
    ["/get_pl_run?%00=1&run_id=r&user_id=user_ann", "A parameter holds a character that cannot be kept."],
    ["/agents/gumball/evaluations/metrics?days=366", "days must be at most 365."],
    ["/agents/gumball/evaluations/metrics?days=0", "days must be at least 1."],
    ["/agents?page_size=101", "page_size must be at most 100."],
    ["/agents?sort_order=best", "sort_order must be one of newest, oldest, name_asc, name_desc."],
  ])("GET %s is answered: %s", async (path, sentence) => {
    const answer = await service.call(ann, "GET", path);
    const { error, message = error.message } = await answer.json();
    expect([answer.status, message]).toEqual([400, sentence]);
  });

  test.each([
    [
      '{"gummie_id": "a", "message": "x\\u0000"}',
      "message holds NUL or half of a surrogate pair, which cannot be kept.",
    ],
    [
      '{"gummie_id": "a", "more": [{"n": 1e400}]}',
      "more.0.n holds a number that is too large to be kept exactly: send it as text.",
    ],
  ])("a body %s is answered: %s", async (body, sentence) => {
    const answer = await service.call(ann, "POST", "/start_agent", body);
    expect([answer.status, await answer.json()]).toEqual([400, { error: "invalid_body", message: sentence }]);
  });

  test("a list that is too long is answered by its name and how many it may have", async () => {
    const body = { run_id: "r", user_id: "user_ann", file_names: Array(1_001).fill("a.md") };
    const answer = await service.call(ann, "POST", "/download_files", body);
    expect([answer.status, await answer.json()]).toEqual([
      400,
      { error: "invalid_body", message: "file_names must have at most 1,000 items." },
    ]);
  });

  test("S-24: an empty or missing owner never widens what is read", async () => {
    for (const query of ["", "&user_id=", "&project_id="]) {
      const answer = await service.call(ann, "GET", `/get_pl_run?run_id=r${query}`);
      expect(answer.status).toBe(400);
    }
    expect((await service.call(ann, "GET", "/get_pl_run?run_id=r&user_id=user_ben")).status).toBe(403);
    expect((await service.call(teamOne, "GET", "/get_pl_run?run_id=r&user_id=user_cat")).status).toBe(403);
    expect((await service.call(teamOne, "GET", "/get_pl_run?run_id=r&project_id=team_two")).status).toBe(403);
  });

  test("text that no database can keep is refused and names the parameter", async () => {
    const answer = await service.call(ann, "GET", "/agents?search=a%00b");
    expect([answer.status, (await answer.json()).error.param]).toEqual([400, "search"]);
    expect((await service.call(ann, "GET", "/agents/a%00b")).status).toBe(400);
  });
});
