import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { endpoints } from "../../contract/endpoints.ts";
import { addPeople, keyOf } from "../../testing/people.ts";
import { startService, type TestService } from "../../testing/service.ts";

interface Operation {
  readonly servers?: readonly { readonly url: string }[];
  readonly security: readonly Record<string, unknown>[];
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly responses: Readonly<Record<string, { readonly headers?: object }>>;
}

let service: TestService;
let ann = "";
let document: { readonly paths: Record<string, Record<string, Operation>> };

beforeAll(async () => {
  service = await startService({ empty: true, work: false });
  await addPeople(service.context.store);
  ann = await keyOf(service.context.store, { kind: "person", id: "user_ann" });
  document = await (await fetch(`${service.url}/api/v1/openapi.json`)).json();
});
afterAll(() => service.stop());

const table = Object.values(endpoints);

/** Asks for nothing that exists. @returns the error's code, or its value on the older endpoints */
async function ask(
  { method, base, path }: (typeof table)[number],
  key: string | null,
  { query = "", headers = {} }: { query?: string; headers?: HeadersInit },
): Promise<string | null> {
  const address = `${base}${path.replaceAll(/\{\w+\}/g, "nothing_here")}${query}`;
  const answer = await service.send(key, method, address, method === "GET" ? undefined : {}, headers);
  const isJson = answer.headers.get("content-type")?.startsWith("application/json") === true;
  const body: unknown = isJson ? await answer.json() : await answer.text().then(() => ({}));
  const { error = null } = body as { error?: string | { code: string } | null };
  return typeof error === "object" ? (error?.code ?? null) : error;
}

describe.each(table)("the document on $name", (endpoint) => {
  const operation = () => document.paths[endpoint.path]?.[endpoint.method.toLowerCase()];
  const takes = (...schemes: string[]) =>
    operation()?.security.some((one) => Object.keys(one).sort().join() === schemes.sort().join());
  const missing = [
    "missing_credential",
    "Authorization header with Bearer token or api_key query parameter is required",
  ];

  test("says which credentials it takes, and it takes those", async () => {
    expect(missing.includes(String(await ask(endpoint, null, {})))).toBe(operation()?.security.length !== 0);
    if (endpoint.auth === "none") return;
    expect(await ask(endpoint, ann, { headers: { "x-auth-key": "user_ann" } })).not.toBe(
      "invalid_credentials",
    );
    expect((await ask(endpoint, ann, {})) !== "invalid_credentials").toBe(takes("personalKey"));
    expect(takes("personalKey") || takes("personalKey", "userId")).toBe(true);
    expect(missing.includes(String(await ask(endpoint, null, { query: `?api_key=${ann}` })))).toBe(
      !takes("queryKey"),
    );
  });

  test("says where it lies, and whether it sets a cookie", () => {
    expect(operation()?.servers).toEqual(endpoint.base === "/api/v1" ? undefined : [{ url: "/" }]);
    const { headers } = operation()?.responses[endpoint.status] ?? {};
    expect(Object.hasOwn(headers ?? {}, "Set-Cookie")).toBe(endpoint.setsCookie);
  });

  test("names every header that it reads and no credential as a parameter", () => {
    const named = (place: string) =>
      (operation()?.parameters ?? []).filter((one) => one.in === place).map(({ name }) => name);
    const tag = endpoint.conditional ? ["If-None-Match"] : [];
    expect(named("header")).toEqual([...Object.keys(endpoint.headers?.shape ?? {}), ...tag]);
    expect(named("query")).not.toContain("api_key");
    expect(Object.hasOwn(operation()?.responses ?? {}, "304")).toBe(endpoint.conditional);
  });
});
