import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type FreshStore, freshStore } from "../../testing/database.ts";
import { ListenError } from "../http/server.ts";
import { parseCommand } from "./parse-command.ts";
import { portTaken } from "./port-taken.ts";
import { signInLink } from "./sign-in-link.ts";

const folder = mkdtempSync(join(tmpdir(), "wheelhouse-link-"));
let fresh: FreshStore;
beforeAll(async () => {
  fresh = await freshStore();
  const names = { first_name: "A", last_name: "B", plan: "pro", profile_picture: null } as const;
  await fresh.store.db
    .insertInto("users")
    .values([
      { id: "user_gone", email: "gone@example.com", deactivated_at: new Date(), ...names },
      // The first of the sample workspace, who signs in first.
      { id: "user_ada", email: "ada@example.com", deactivated_at: new Date(), ...names },
      { id: "user_kim", email: "kim@example.com", ...names },
    ])
    .execute();
});
afterAll(async () => {
  await fresh.drop();
  rmSync(folder, { recursive: true });
});

const log = pino({ level: "silent" });

/** What it says, and its exit code. */
async function said(
  run: (terminal: { print(line: string): void; complain(line: string): void }) => Promise<number>,
) {
  const lines: string[] = [];
  const add = (line: string) => void lines.push(line);
  return { code: await run({ print: add, complain: add }), text: lines.join("\n") };
}

function parsed(line: string) {
  const environment = { DATABASE_URL: fresh.url, WHEELHOUSE_SECRET: "s".repeat(32) };
  return parseCommand([...line.split(" "), "--data", folder], environment, folder);
}

async function linkFor(person: string) {
  const command = parsed(`sign-in-link --person ${person}`);
  if (command.type !== "sign-in-link") throw new Error(`It was read as ${command.type}`);
  return await said((terminal) => signInLink(command, { log, file: null }, terminal));
}

test("a link is made for who may sign in, and refused for who is deactivated", async () => {
  expect(await linkFor("user_kim")).toMatchObject({ code: 0, text: expect.stringMatching(/#sign-in=\w+$/) });
  expect(await linkFor("user_gone")).toEqual({
    code: 1,
    text: "--person: user_gone is deactivated: reactivate them in the console first.",
  });
  expect(await linkFor("user_none")).toMatchObject({ code: 1, text: expect.stringMatching(/^--person: /) });
});

test("a second start says where the first runs, also where the first person is deactivated", async () => {
  const health = createServer((_, response) => response.end('{"instance":"this one"}'));
  await new Promise<void>((resolve) => health.listen(0, "127.0.0.1", resolve));
  // What listens on a port of TCP has an address.
  const { port } = health.address() as AddressInfo;
  const command = parsed(`start --port ${port} --files ${folder}`);
  if (command.type !== "start") throw new Error(`It was read as ${command.type}`);
  const taken = new ListenError(Object.assign(new Error("taken"), { code: "EADDRINUSE" }));
  const { code, text } = await said((terminal) =>
    portTaken(command.config, "this one", taken, log, terminal),
  );
  health.close();
  expect([code, text]).toEqual([
    0,
    `Wheelhouse is already running at http://localhost:${port}\nNo link to sign in: user_ada is deactivated: reactivate them in the console first.`,
  ]);
});
