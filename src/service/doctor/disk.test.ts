import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { type SmallDisk, smallDisk } from "../../testing/small-disk.ts";
import { parseCommand } from "../cli/parse-command.ts";
import { examineFolders } from "./folders.ts";

const disks: Readonly<Record<string, SmallDisk | null>> = {
  problem: smallDisk(40e6),
  warning: smallDisk(1_000e6),
};
afterAll(() => {
  for (const disk of Object.values(disks)) disk?.unmount();
});

describe.skipIf(disks.problem === null)("a disk (needs the right to mount one)", () => {
  it.each(["problem", "warning"])(
    "with little left is a %s, and the finding says how much",
    async (state) => {
      const data = join(disks[state]?.path ?? "", "data");
      mkdirSync(data, { mode: 0o700 });
      mkdirSync(join(data, "files"));
      const command = parseCommand(["doctor", "--data", data], {}, "/");
      if (command.type !== "doctor") throw new Error("not the command that was asked for");
      const found = await examineFolders(command.config, false);
      expect(found.filter(({ check }) => check === "disk")).toEqual([
        {
          ...{ check: "disk", state, action: "Make room; retention in wheelhouse.yaml deletes what is old" },
          found: expect.stringMatching(
            new RegExp(`^The disk of ${data} has ${state === "problem" ? "0.0" : "1.0"} GB left$`),
          ),
        },
      ]);
    },
  );
});
