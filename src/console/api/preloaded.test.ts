import { expect, test, vi } from "vitest";
import { fetchOf, isPreloadedIn } from "./preloaded.ts";

const address = "http://console.test/api/v1/runs?page_size=100";
const headers = { accept: "application/json", authorization: "Bearer key", "x-auth-key": "user_ada" };

/** A page whose first script has begun to read the runs; what is asked for beside that is answered "anew". */
function aPage(answer = new Response("early", { headers: { date: "today", etag: '"1"' } })) {
  const stop = vi.fn();
  const fetch = vi.fn(async () => new Response("anew"));
  const early = { answer: Promise.resolve(answer), headers, stop };
  const page = { fetch, wheelhousePreloaded: new Map([[address, early]]) };
  return { page, read: fetchOf(page), fetch, stop };
}

const asked = { method: "GET", headers: { ...headers } };
const textOf = async (answer: Promise<Response>) => await (await answer).text();

test("a read that the page has begun is answered with what came, once", async () => {
  const { read, fetch } = aPage();
  const first = await read(address, asked);
  expect([await first.text(), first.headers.get("etag")]).toEqual(["early", '"1"']);
  expect(fetch).not.toHaveBeenCalled();
  expect(await textOf(read(address, asked))).toBe("anew");
});

test("says nothing of the service's clock: the answer came before it was asked for", async () => {
  expect((await aPage().read(address, asked)).headers.get("date")).toBeNull();
});

test.each([
  ["another address", "http://console.test/api/v1/runs", asked],
  ["somebody else", address, { method: "GET", headers: { ...headers, authorization: "Bearer another" } }],
  ["a poll", address, { method: "GET", headers: { ...headers, "x-wheelhouse-poll": "1" } }],
  ["what changed since", address, { method: "GET", headers: { ...headers, "if-none-match": '"1"' } }],
  ["something to be done", address, { method: "POST", headers: { ...headers } }],
])("%s: is asked for anew", async (_what, url, init) => {
  expect(await textOf(aPage().read(url, init))).toBe("anew");
});

test("it is known beforehand whether an answer is on its way", () => {
  const { page } = aPage();
  const isPreloaded = isPreloadedIn(page);
  const request = { url: address, method: "GET", headers: { ...headers }, body: null };
  expect(isPreloaded(request)).toBe(true);
  expect(isPreloaded({ ...request, url: `${address}0` })).toBe(false);
  expect(isPreloaded({ ...request, method: "POST" })).toBe(false);
  expect(isPreloaded({ ...request, headers: { ...headers, authorization: "Bearer another" } })).toBe(false);
});

test("what was begun as somebody else is given up", async () => {
  const { read, stop } = aPage();
  await read(address, { method: "GET", headers: { accept: "application/json" } });
  expect(stop).toHaveBeenCalledOnce();
});

test("a refusal is handed out as it came", async () => {
  const refused = new Response("{}", { status: 401, headers: { date: "today" } });
  expect(await aPage(refused).read(address, asked)).toBe(refused);
});

test("whoever gives up the question ends the read", async () => {
  const { read, stop } = aPage();
  const limit = new AbortController();
  await read(address, { ...asked, signal: limit.signal });
  expect(stop).not.toHaveBeenCalled();
  limit.abort();
  expect(stop).toHaveBeenCalledOnce();
});
