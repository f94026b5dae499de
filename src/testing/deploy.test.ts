import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { type Command, parseCommand } from "../service/cli/parse-command.ts";
import { root } from "./source-files.ts";

const folder = mkdtempSync(join(tmpdir(), "wheelhouse-deploy-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const read = (name: string) => readFileSync(join(root, "deploy", name), "utf8");
const lacks = (program: string) => spawnSync(program, ["--version"]).error !== undefined;
const units = ["wheelhouse.service", "wheelhouse-worker@.service"];

/** The values of a setting of a unit, in their order. */
const settings = (unit: string, name: string) =>
  [...read(unit).matchAll(new RegExp(`^${name}=(.*)$`, "gm"))].map(([, value = ""]) => value);

/** What the command of a unit says to our program, on this machine. */
function commandOf(unit: string): Command {
  const [line = ""] = settings(unit, "ExecStart");
  const [, , ...args] = line
    .replace(/\$\{PUBLIC_URL\}/, "https://wheelhouse.example.com")
    .replace(/\$\{FILES\}/, "s3://bucket/prefix")
    .replace("/etc/wheelhouse/workspace", join(root, "workspace"))
    .replaceAll("%i", "1")
    .split(" ");
  const environment = {
    ...{ DATABASE_URL: "postgresql://wheelhouse@database/wheelhouse", WHEELHOUSE_SECRET: "s".repeat(32) },
    ...{ AWS_ACCESS_KEY_ID: "key", AWS_SECRET_ACCESS_KEY: "secret" },
  };
  return parseCommand(args, environment, "/");
}

describe("the units of systemd", () => {
  // Where node lies elsewhere, systemd would say that it is not there.
  test.skipIf(lacks("systemd-analyze")).each(units)(
    "S-129: are taken by systemd, with this machine's node: %s",
    (unit) => {
      const place = join(folder, unit.replace("@", "@1"));
      writeFileSync(place, read(unit).replace("/usr/bin/node", process.execPath));
      const { status, stderr } = spawnSync("systemd-analyze", ["verify", "--man=no", place], {
        encoding: "utf8",
      });
      expect({ status, said: stderr.split("\n").filter((line) => line.includes("wheelhouse")) }).toEqual({
        status: 0,
        said: [],
      });
    },
  );

  test.skipIf(lacks("systemd-analyze")).each(units)(
    "S-129: expose little, as systemd counts it: %s",
    (unit) => {
      const place = join(folder, unit);
      copyFileSync(join(root, "deploy", unit), place);
      const flags = ["security", "--no-pager", "--offline=true", "--threshold=20", place];
      const { status, stdout } = spawnSync("systemd-analyze", flags, { encoding: "utf8" });
      expect({ status, said: stdout.trim().split("\n").at(-1) }).toMatchObject({ status: 0 });
    },
  );

  test("S-129: call our program as it wants to be called", () => {
    expect(commandOf("wheelhouse.service")).toMatchObject({ type: "start", config: { drainSeconds: 5 } });
    expect(commandOf("wheelhouse-worker@.service")).toMatchObject({
      type: "worker",
      config: { metrics: { port: 9471 } },
    });
  });

  test.each(units)("S-129: end it as it wants to be ended, and keep what it keeps: %s", (unit) => {
    expect(settings(unit, "KillSignal")).toEqual(["SIGTERM"]);
    // Its own limit is 29 s.
    expect(Number(settings(unit, "TimeoutStopSec")[0])).toBeGreaterThan(30);
    expect(settings(unit, "TimeoutStartSec")).toEqual(["infinity"]);
    const [state = ""] = settings(unit, "StateDirectory");
    expect(settings(unit, "ExecStart")[0]).toContain(`--data /var/lib/${state} `);
    expect([settings(unit, "ProtectSystem"), settings(unit, "NoNewPrivileges")]).toEqual([
      ["strict"],
      ["yes"],
    ]);
  });
});

describe("deploy/haproxy.cfg", () => {
  /** The seconds of a time. */
  const time = (pattern: RegExp) => {
    const [, value = "", unit] = pattern.exec(read("haproxy.cfg")) ?? [];
    return Number(value) / (unit === "ms" ? 1_000 : 1);
  };

  test.skipIf(lacks("haproxy"))("S-129: is taken by HAProxy, with addresses in place of names", () => {
    const place = join(folder, "haproxy.cfg");
    writeFileSync(place, read("haproxy.cfg").replaceAll(/ service-(\d):/g, " 127.0.0.$1:"));
    const { status, stdout, stderr } = spawnSync("haproxy", ["-c", "-f", place], { encoding: "utf8" });
    expect({ status, said: stdout + stderr }).toMatchObject({ status: 0 });
  });

  test("S-125: takes a service that stops out before it stops answering", () => {
    // One that was asked before it was told to stop may be found ready late; then two answers say that it is not.
    const most =
      time(/ timeout check (\d+)(m?s)/) + time(/ inter (\d+)(m?s)/) + time(/ fastinter (\d+)(m?s)/);
    const command = commandOf("wheelhouse.service");
    if (command.type !== "start") throw new Error("it starts no service");
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThan(command.config.drainSeconds);
  });
});
