// @vitest-environment jsdom
import "./jitless.ts";
import { expect, it, vi } from "vitest";
import { listRuns } from "../../contract/runs.ts";
import { aRunSummary } from "../../testing/builders.ts";
import { anyJson } from "../../testing/msw.ts";
import { mockServicePerTest } from "../../testing/msw-suite.ts";
import { signedInWheelhouse } from "../../testing/test-wheelhouse.ts";
import { call } from "./client.ts";

const service = mockServicePerTest();
it("C-01: an answer with damage that the page has no code for cannot be read, and a healthy one can", async () => {
  const { api } = signedInWheelhouse();
  vi.doMock("./receive.ts", () => {
    throw new TypeError("Failed to fetch dynamically imported module");
  });
  service().override(listRuns, { runs: [aRunSummary()], next_cursor: null });
  await expect(call(api, listRuns, {})).resolves.toMatchObject({ damage: [] });
  service().override(listRuns, () => anyJson({ runs: [{ run_id: 5 }], next_cursor: null }));
  await expect(call(api, listRuns, {})).rejects.toMatchObject({ kind: "contract" });
});
