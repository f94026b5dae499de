import { expect, test } from "vitest";
import { ended } from "../../testing/engine.ts";
import { engineTests } from "../../testing/engine-tests.ts";
import { scriptedKind, startOf } from "../../testing/scripted-kind.ts";
import { startSeeded } from "./seed.ts";

const tests = engineTests();

test("S-117: what is started with steps that are done does none of them again, also where its log begins empty", async () => {
  const did: string[] = [];
  const before = (id: string, key: string) => {
    did.push(`${id} ${key}`);
  };
  const engine = await tests.working({ scripted: scriptedKind({ before }) });
  const execution = startOf("seeded", [{ do: "effect" }, { do: "effect" }]);
  await engine.starting((tx, start) =>
    startSeeded(tx, start, {
      ...{
        execution,
        copied: { from: "", keys: [] },
        given: [{ key: "0", output: 0 }],
        log: [],
        child: null,
      },
    }),
  );
  expect(await ended(tests.fresh.store, "seeded")).toMatchObject({ state: "done" });
  expect(did).toEqual(["seeded 1"]);
});
