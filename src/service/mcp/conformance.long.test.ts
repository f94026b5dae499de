import { spawn } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { resolve } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { type FreshStore, freshStore } from "../../testing/database.ts";
import { mcpFor } from "../../testing/mcp.ts";
import { createOutgoing, type Outgoing } from "../outgoing/outgoing.ts";
import type { Mcp } from "./mcp.ts";
import { McpError } from "./mcp-error.ts";
import type { McpOwner } from "./owner.ts";
import type { AnsweredAsks, AskedQuestion } from "./server-question.ts";

/**
 * The public conformance suite of the protocol, in the role of servers and sign-ins; its client is this service's own. Each
 * requirement set is what that revision asks of clients, frozen at its release.
 */
const suite = resolve(
  import.meta.dirname,
  "../../../node_modules/@modelcontextprotocol/conformance/dist/index.js",
);
const relay = resolve(import.meta.dirname, "../../testing/conformance-relay.mjs");

const baseline = resolve(import.meta.dirname, "../../testing/conformance-baseline.yml");
const node20 = resolve(import.meta.dirname, "../../testing/conformance-node20.mjs");

const kim: McpOwner = { type: "user", id: "user_kim" };
const { signal } = new AbortController();

let fresh: FreshStore;
let address: string;
const open: Mcp[] = [];
const asked = createServer((request, response) => {
  text(request)
    .then((body) => play(scenarioForm.parse(JSON.parse(body))))
    .then(
      () => response.end("done"),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
});
beforeAll(async () => {
  fresh = await freshStore();
  const person = { first_name: "Kim", last_name: "T", email: "kim@example.com", profile_picture: null };
  await fresh.store.db
    .insertInto("users")
    .values({ id: "user_kim", plan: "pro", ...person })
    .execute();
  await new Promise<void>((done) => asked.listen(0, "127.0.0.1", done));
  address = `http://127.0.0.1:${(asked.address() as AddressInfo).port}`;
});
afterAll(async () => {
  asked.close();
  await Promise.all(open.map((mcp) => mcp.close()));
  await fresh.drop();
});

const scenarioForm = z.object({
  server: z.string(),
  scenario: z.string(),
  context: z.looseObject({
    toolCalls: z.array(z.object({ name: z.string(), arguments: z.record(z.string(), z.json()) })).optional(),
    client_id: z.string().optional(),
    client_secret: z.string().optional(),
  }),
});

/** Does what an agent's turn does with a server: lists its tools, signs in where it must, calls them, answers what they ask. */
async function play({ server: url, context }: z.output<typeof scenarioForm>): Promise<void> {
  // What is known of a server goes when another address has its name: scenarios run side by side.
  const id = `suite${open.length}`;
  const { client_id, client_secret } = context;
  const oauth = client_id === undefined ? {} : { oauth: { client_id, client_secret } };
  const mcp = mcpFor(
    fresh.store,
    { [id]: { url, ...oauth } },
    { outgoing: toThisMachine, publicUrl, callTimeout: 10_000 },
  );
  open.push(mcp);
  const tools = await signedIn(mcp, id, () => mcp.listTools(id, kim, signal));
  const calls =
    context.toolCalls ??
    tools.map(({ name, inputSchema }) => ({ name, arguments: argumentsFor(inputSchema) }));
  // A tool that shows what arrived of the schema of the other one.
  const echo = calls.find(({ name }) => name === "json_schema_echo");
  const other = tools.find(({ name }) => name !== echo?.name);
  if (echo) echo.arguments = { schema: z.json().parse(other?.inputSchema ?? null) };
  for (const call of calls) await signedIn(mcp, id, () => callTool(mcp, id, call.name, call.arguments));
}

/** The suite's servers and sign-ins are on ports of this machine that nobody knows before: whichever is asked for is allowed. */
function toThisMachine(): Outgoing {
  const made = new Map<string, Outgoing>();
  const to = (host: string) => {
    const one = made.get(host) ?? createOutgoing({ allowPrivate: [host] });
    made.set(host, one);
    return one;
  };
  return {
    ...to("localhost:1"),
    fetch: (input, init) => to(new URL(input instanceof Request ? input.url : input).host).fetch(input, init),
    close: async () => void (await Promise.all([...made.values()].map((one) => one.close()))),
  };
}
const publicUrl = "https://conformance-test.local";

/** @throws what `work` throws where a sign-in does not help */
async function signedIn<T>(mcp: Mcp, id: string, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const mayHelp = error instanceof McpError && error.failure === "unauthenticated";
      if (!mayHelp || attempt > 2) throw error;
      const { authorizationUrl, state, browser } = await mcp.startSignIn(
        id,
        kim,
        { person: "user_kim" },
        signal,
      );
      const { headers } = await fetch(authorizationUrl, { redirect: "manual" });
      const { searchParams } = new URL(headers.get("location") ?? "", authorizationUrl);
      const ended = await mcp.finishSignIn(
        {
          state,
          code: searchParams.get("code"),
          error: searchParams.get("error"),
          issuer: searchParams.get("iss"),
          browser,
        },
        signal,
      );
      if (ended.type === "refused") throw new Error(JSON.stringify(ended));
    }
  }
}

async function callTool(
  mcp: Mcp,
  id: string,
  tool: string,
  args: Readonly<Record<string, z.infer<ReturnType<typeof z.json>>>>,
) {
  const answered: AnsweredAsks[] = [];
  for (let round = 0; round < 5; round++) {
    const call = { tool, args: { ...args }, key: `1-0-${tool}`, signal };
    const came = await mcp.callTool(id, kim, call, answered);
    if (!("asks" in came)) return;
    const { state, questions } = came.asks;
    answered.push({ state, answers: questions.map(answerTo) });
  }
}

/** What a person would answer: the form as it came. */
function answerTo({ id, digest, shown }: AskedQuestion): AnsweredAsks["answers"][number] {
  if (shown === null) return { id, digest, answer: { action: "decline" } };
  const content = Object.fromEntries(
    shown.fields.flatMap(({ name, type, default: given }) => {
      const value = given ?? (type === "boolean" ? true : type === "number" ? 1 : "word");
      return [[name, value]] as const;
    }),
  );
  return { id, digest, answer: { action: "accept", content } };
}

/** The least that a schema takes. */
function argumentsFor(schema: Readonly<Record<string, unknown>>) {
  const { properties = {} } = z
    .looseObject({
      properties: z.record(z.string(), z.looseObject({ type: z.unknown().optional() })).optional(),
    })
    .parse(schema);
  return Object.fromEntries(
    Object.entries(properties).map(([name, { type }]) => [
      name,
      type === "number" || type === "integer" ? 5 : type === "boolean" ? true : "word",
    ]),
  );
}

it.each(["2026-07-28", "2025-11-25"])(
  "a client of revision %s passes all that the suite requires",
  async (revision) => {
    const child = spawn(
      process.execPath,
      [
        "--import",
        node20,
        suite,
        "client",
        "--requirements",
        revision,
        "--expected-failures",
        baseline,
        "--command",
        `${process.execPath} ${relay} ${address}`,
      ],
      { cwd: tmpdir(), stdio: ["ignore", "pipe", "pipe"] },
    );
    const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
    process.stdout.write(out + errors);
    expect(await new Promise((done) => child.on("exit", done))).toBe(0);
  },
  600_000,
);
