import { type AddressInfo, connect, createServer } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FreshStore, freshStore } from "../../testing/database.ts";
import { parseCommand } from "../cli/parse-command.ts";
import { examineDatabase } from "./database.ts";

let fresh: FreshStore;
beforeAll(async () => {
  fresh = await freshStore();
});
afterAll(() => fresh.drop());

const examineAt = async (databaseUrl: string) => {
  const command = parseCommand(["doctor", "--data", "/nowhere"], {}, "/");
  if (command.type !== "doctor") throw new Error("not the command that was asked for");
  const findings = await examineDatabase({ ...command.config, databaseUrl });
  return (check: string) => findings.find((finding) => finding.check === `database.${check}`);
};

/** Has a database say things of itself that are not so, to whoever connects after it. */
async function pretend(settings: Readonly<Record<string, string>>, clockSeconds: number): Promise<void> {
  const { pool } = fresh.store;
  const cases = Object.entries(settings).map(([name, value]) => `when '${name}' then '${value}'`);
  await pool.query(`
    create schema if not exists pretended;
    create or replace function pretended.current_setting(name text, missing boolean) returns text language sql as
      $$ select case name ${cases.join(" ")} else pg_catalog.current_setting(name, missing) end $$;
    create or replace function pretended.clock_timestamp() returns timestamptz language sql as
      $$ select pg_catalog.clock_timestamp() + interval '${clockSeconds} s' $$;
    create or replace function pretended.pg_is_in_recovery() returns boolean language sql as 'select true';
    create or replace view pretended.pg_available_extensions as
      select * from pg_catalog.pg_available_extensions where name <> 'pg_trgm';
    do $$ begin
      execute format('alter database %I set search_path = pretended, pg_catalog, public', current_database());
    end $$`);
}

describe("a database that answers, and does not fit", () => {
  it("is too old, a standby, of another encoding, unsafe, full, and has no search: each with what to do", async () => {
    await pretend(
      {
        ...{ server_version_num: "130014", server_version: "13.14", server_encoding: "LATIN1" },
        ...{ fsync: "off", full_page_writes: "off", synchronous_commit: "off", max_connections: "20" },
      },
      0,
    );
    const of = await examineAt(fresh.url);
    expect(of("version")).toEqual({
      ...{ check: "database.version", state: "problem", found: "PostgreSQL 13.14 is too old" },
      action: "Use PostgreSQL 14 or newer",
    });
    expect(of("writes")).toMatchObject({ state: "problem", action: expect.stringContaining("DATABASE_URL") });
    expect(of("encoding")).toMatchObject({ state: "problem", action: expect.stringContaining("UTF8") });
    for (const name of ["fsync", "full_page_writes", "synchronous_commit"])
      expect(of(name)).toMatchObject({ state: "warning", found: `${name} is off` });
    expect(of("connections")).toMatchObject({
      ...{ state: "warning", found: expect.stringMatching(/^\d+ of 20 connections are open$/) },
      action: expect.stringContaining("max_connections"),
    });
    expect(of("search")).toMatchObject({ state: "warning", action: expect.stringContaining("contrib") });
  });

  it.each([
    [90, "90 s ahead of"],
    [-45, "45 s behind"],
  ])("has a clock that differs by %i s", async (seconds, how) => {
    await pretend({ fsync: "on" }, seconds);
    const of = await examineAt(fresh.url);
    expect(of("clock")).toMatchObject({
      ...{ state: "warning", found: `Its clock is ${how} this machine's` },
      action: expect.stringContaining("NTP"),
    });
    expect(of("version")?.state).toBe("ok");
  });

  it("is behind a pooler that keeps LISTEN to itself", async () => {
    const { searchParams, pathname, username } = new URL(fresh.url.replace("@/", "@localhost/"));
    const pooler = createServer((client) => {
      const database = connect(`${searchParams.get("host")}/.s.PGSQL.5432`);
      for (const socket of [client, database]) socket.on("error", () => undefined);
      client.on("data", (sent) => {
        const text = sent.toString("latin1").replace("listen wheelhouse_doctor", "listen wheelhouse_pooler");
        database.write(Buffer.from(text, "latin1"));
      });
      client.on("close", () => database.destroy());
      database.pipe(client);
    }).listen(0, "127.0.0.1");
    await new Promise((listening) => pooler.once("listening", listening));
    const { port } = pooler.address() as AddressInfo;
    const of = await examineAt(`postgresql://${username}@127.0.0.1:${port}${pathname}`);
    expect(of("signals")).toMatchObject({
      ...{ state: "problem", action: expect.stringContaining("session mode") },
    });
    await new Promise((closed) => pooler.close(closed));
  });
});
