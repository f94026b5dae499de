import { Readable } from "node:stream";
import pg from "pg";
import { describe, expect, test } from "vitest";
import { endpoints } from "../../contract/endpoints.ts";
import type { Handlers } from "../areas/handler.ts";
import { nothingChanged } from "../audit/record.ts";
import { createLog } from "../cli/log.ts";
import { parseCommand } from "../cli/parse-command.ts";
import { type Context, randomIds } from "../context.ts";
import { ServiceError } from "../service-error.ts";
import { webStream } from "./answer.ts";
import { createApp } from "./app.ts";
import { asServiceError } from "./errors.ts";
import { createRoute, createRouteParts } from "./route.ts";

type Table = Handlers<typeof endpoints>;

/** The app with one function that misbehaves, on the endpoint that needs no credential and so no database. */
async function answerOf(handler: Table["createConsoleSession"]) {
  const lines: string[] = [];
  const command = parseCommand(["start", "--empty"], {}, process.cwd());
  if (command.type !== "start") throw new Error("not a start");
  const app = createApp({
    config: command.config,
    log: createLog({ write: (line) => void lines.push(line) }),
    ids: randomIds,
    handlers: { createConsoleSession: handler },
    instance: "test",
    phase: () => "ready",
    // The function under test uses nothing of it.
    context: () => ({}) as Context,
    databaseAnswers: async () => true,
    checkAnswers: true,
  });
  const body = JSON.stringify({ token: "x" });
  const request = new Request("http://localhost/api/v1/console/sessions", { method: "POST", body });
  request.headers.set("content-type", "application/json");
  const answer = await app.fetch(request);
  return { status: answer.status, headers: answer.headers, text: await answer.text(), log: lines.join("") };
}

const throws = (error: unknown) =>
  answerOf(async () => {
    throw error;
  });

describe("S-13: a function that throws", () => {
  test("is 500 without a word from inside; the log has the cause under the same request id", async () => {
    const { status, headers, text, log } = await throws(
      new Error("select hash from credentials at /srv/x.ts"),
    );
    expect(status).toBe(500);
    expect(text).not.toMatch(/select|credentials|srv|stack/);
    expect(JSON.parse(text).error).toMatchObject({ code: "internal", type: "api_error" });
    expect(log).toContain("select hash");
    expect(log.split("\n").filter((line) => line.includes(headers.get("x-request-id") ?? "?"))).toHaveLength(
      2,
    );
  });

  test.each(["a string", null, undefined, { code: "x" }])("also when it throws %j", async (thrown) => {
    expect((await throws(thrown)).status).toBe(500);
  });

  test("a database error does not bring its row into the log", async () => {
    const error = new pg.DatabaseError("duplicate key", 10, "error");
    error.detail = "Key (email)=(ada@example.com) already exists";
    const { status, log } = await throws(error);
    expect(status).toBe(500);
    expect(log).toContain("duplicate key");
    expect(log).not.toContain("ada@example.com");
  });
});

describe("S-05 S-08: trouble that passes", () => {
  test("a database that is away is 503 with Retry-After, also deep inside", async () => {
    const away = Object.assign(new Error("connect ECONNREFUSED /tmp/.s.PGSQL.5432"), {
      code: "ECONNREFUSED",
    });
    for (const error of [
      away,
      new Error("wrapped", { cause: away }),
      new Error("Connection terminated unexpectedly"),
    ]) {
      const { status, headers, text } = await throws(error);
      expect([status, headers.get("retry-after")]).toEqual([503, "2"]);
      expect(text).not.toMatch(/ECONN|PGSQL/);
    }
  });

  test("a database that is away is one sentence in the log, and a service that starts is no line of its own", async () => {
    const away = new Error("select 1", {
      cause: Object.assign(new Error("ECONNREFUSED"), { code: "08006" }),
    });
    const { log } = await throws(away);
    expect(log).toMatch(/"level":40.*"a request could not be served"/);
    expect(log).not.toContain("stack");
    const starting = await throws(new ServiceError("unavailable", { message: "The service is starting." }));
    expect(starting.status).toBe(503);
    expect(starting.log.trim().split("\n")).toHaveLength(1);
    expect(JSON.parse(starting.log)).toMatchObject({ level: 30, error: "unavailable", status: 503 });
  });

  test("a full disk is 507", async () => {
    expect((await throws(Object.assign(new Error("no space"), { code: "ENOSPC" }))).status).toBe(507);
    expect((await throws(Object.assign(new Error("could not extend file"), { code: "53100" }))).status).toBe(
      507,
    );
  });

  test("a chain of causes without an end is not followed for ever", () => {
    const error = new Error("round");
    error.cause = error;
    expect(asServiceError(error).code).toBe("internal");
  });
});

test("an answer against the contract is an error here, naming endpoint and field, and never goes out", async () => {
  const { status, text, log } = await answerOf(async () => ({
    type: "json",
    json: JSON.stringify({ access_token: "wh_token_secret", expires_at: "x", user: { id: 7 }, teams: [] }),
    recorded: nothingChanged(),
  }));
  expect(status).toBe(500);
  expect(text).not.toContain("wh_token_secret");
  expect(log).toContain("createConsoleSession answers against the contract at user.id");
});

test("too many requests say when to come back", async () => {
  const { status, headers } = await throws(new ServiceError("too_many_requests", { retryAfter: 24.2 }));
  expect([status, headers.get("retry-after")]).toEqual([429, "25"]);
});

test("a stream that breaks is cut, and says nothing of why", async () => {
  const route = createRoute(
    { ...endpoints.downloadFiles, auth: "none", body: null },
    async () => ({
      type: "stream",
      mediaType: "application/zip",
      filename: "files.zip",
      stream: Readable.from(
        (async function* () {
          yield Buffer.from("PK");
          throw new Error("/var/lib/secret is gone");
        })(),
      ),
    }),
    createRouteParts(true),
  );
  const answer = await route({} as Context, {
    request: new Request("http://localhost/"),
    params: {},
    remoteAddress: "127.0.0.1",
    record: { id: "req_1", log: createLog({ write: () => {} }), identify: () => {} },
  });
  expect(answer.headers["content-disposition"]).toContain('filename="files.zip"');
  const body = answer.body instanceof Readable ? webStream(answer.body) : null;
  await expect(new Response(body).text()).rejects.toThrow("The answer was cut short");
});
