// @vitest-environment jsdom
import { readFileSync } from "node:fs";
import path from "node:path";
import { beforeEach, expect, test, vi } from "vitest";
import { listRuns } from "../../contract/runs.ts";
import { aSignIn } from "../../testing/test-wheelhouse.ts";
import { buildRequest } from "../api/request.ts";

const script = readFileSync(path.join(import.meta.dirname, "preload-reads.js"), "utf8");
const fetched = vi.fn((_url: string, _init: RequestInit) => Promise.resolve(new Response("{}")));

/** Opens a page as the service serves it, in a tab with this in its storage, and runs its first script. @returns what was asked for */
function open(signIn: object | null, address = "/runs", reads: unknown = ["/runs?page_size=100"]) {
  history.replaceState(null, "", address);
  document.head.innerHTML = `<meta name="wheelhouse-reads">`;
  const content = typeof reads === "string" ? reads : JSON.stringify(reads);
  document.querySelector("meta")?.setAttribute("content", content);
  if (signIn !== null) sessionStorage.setItem("wheelhouse:session", JSON.stringify(signIn));
  new Function(script)();
  return fetched.mock.calls.map(([url]) => url.replace(location.origin, ""));
}

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  delete window.wheelhousePreloaded;
  fetched.mockClear();
  vi.stubGlobal("fetch", fetched);
});

const as = (credential: Partial<ReturnType<typeof aSignIn>["credential"]>) =>
  aSignIn({ credential: { ...aSignIn().credential, ...credential } });

test("the first reads of a page begin as the console itself asks for them", () => {
  const signIn = aSignIn();
  expect(open(signIn)).toEqual(["/api/v1/runs?page_size=100"]);
  const target = { base: `${location.origin}/api/v1`, credential: signIn.credential };
  const { url, headers } = buildRequest(target, listRuns, { query: { page_size: 100 } });
  const begun = window.wheelhousePreloaded?.get(url);
  expect(JSON.stringify(begun?.headers)).toBe(JSON.stringify(headers));
  expect(fetched.mock.calls[0]?.[1]).toMatchObject({
    credentials: "omit",
    redirect: "manual",
    cache: "no-store",
  });
});

test("a token names nobody beside itself", () => {
  open(as({ kind: "token" }));
  expect(JSON.stringify(fetched.mock.calls[0]?.[1].headers)).not.toContain("x-auth-key");
});

test("who is asked about is who has signed in", () => {
  const reads = ["/list_saved_items?user_id={user}", "/agents"];
  expect(open(aSignIn(), "/runs", reads)).toEqual([
    "/api/v1/list_saved_items?user_id=user_ada",
    "/api/v1/agents",
  ]);
  fetched.mockClear();
  expect(open(as({ teamId: "team_harbor" }), "/runs", reads), "for a team").toEqual(["/api/v1/agents"]);
  fetched.mockClear();
  expect(open(as({ userId: "ada lovelace" }), "/runs", reads)).toEqual(["/api/v1/agents"]);
});

test.each([
  ["nobody has signed in", null, "/runs"],
  ["a team's key is used", as({ kind: "team" }), "/runs"],
  [
    "another service is read",
    aSignIn({ connection: { name: "Theirs", path: "/upstream/theirs/api/v1", kind: "upstream" } }),
    "/runs",
  ],
  ["the address asks for something else", aSignIn(), "/runs?state=FAILED"],
  ["a sign-in link was opened", aSignIn(), "/runs#sign-in=token"],
  ["the storage holds something else", { credential: 5 }, "/runs"],
])("nothing is begun where %s", (_why, signIn, address) => {
  expect(open(signIn, address)).toEqual([]);
});

test("nothing is begun after a sign-out in another tab, or with a page that no service has filled in", () => {
  const signIn = aSignIn();
  expect(open(signIn, "/runs", "__READS__")).toEqual([]);
  localStorage.setItem("wheelhouse:signed-out-at", String(signIn.signedInAt));
  expect(open(signIn)).toEqual([]);
});

test("a read that fails is nobody's trouble until somebody asks for it", async () => {
  fetched.mockRejectedValueOnce(new TypeError("Failed to fetch"));
  open(aSignIn());
  const [begun] = [...(window.wheelhousePreloaded?.values() ?? [])];
  await expect(begun?.answer).rejects.toThrow("Failed to fetch");
});
