import { chownSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../src/testing/free-port.ts";
import { runEnds, startRun } from "../runs.ts";
import { Service } from "../service.ts";
import { expect, test } from "../starting.ts";

test("a second start with the same data and port says so in one line and leaves the first alone", async ({
  start,
}) => {
  const first = await start();
  const second = await Service.spawn({ data: first.data, port: Number(new URL(first.url).port) });
  expect(await second.ended()).toBe(0);
  expect(second.output).toContain(first.url);
  expect((await runEnds(first, await startRun(first, "flow_hello", { name: "Ada" }))).state).toBe("DONE");
});

test("a second start with the same data on another port joins: both show the same runs", async ({
  start,
}) => {
  const first = await start();
  const second = await start({ data: first.data });
  const id = await startRun(first, "flow_hello", { name: "Ada" });
  expect((await runEnds(second, id)).state).toBe("DONE");
  expect(await first.signal("SIGTERM")).toBe(0);
  expect((await runEnds(second, await startRun(second, "flow_hello", { name: "Grace" }))).state).toBe("DONE");
});

test("a port that somebody else holds ends the start at once, naming the port", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await new Promise((listening) => other.once("listening", listening));
  const { port } = other.address() as AddressInfo;
  const before = Date.now();
  const service = await Service.spawn({ port });
  expect(await service.ended()).toBe(1);
  // It waits five seconds for an answer, which a Wheelhouse would give.
  expect(Date.now() - before).toBeLessThan(60_000);
  expect(service.output).toContain(String(port));
  await service.stop();
  other.close();
});

test("a wrong flag is named", async () => {
  const service = await Service.spawn({ flags: ["--prot", "7700"] });
  expect(await service.ended()).toBe(2);
  expect(service.output).toContain("--prot");
  await service.stop();
});

test("an ordinary user starts it below a folder that only this user may enter", async ({ start }) => {
  test.skip(
    process.getuid?.() !== 0,
    "only root can become another user; everybody else runs as one already",
  );
  const home = mkdtempSync(join(tmpdir(), "wheelhouse-home-"));
  const nobody = { uid: 65534, gid: 65534 };
  chownSync(home, nobody.uid, nobody.gid);
  const service = await start({
    data: join(home, "data"),
    port: await freePort(),
    as: nobody,
    environment: { HOME: home },
  });
  expect((await runEnds(service, await startRun(service, "flow_hello", { name: "Ada" }))).state).toBe("DONE");
  await service.stop();
  rmSync(home, { recursive: true, force: true });
});
