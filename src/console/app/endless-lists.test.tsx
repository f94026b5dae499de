import { screen, waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { listArtifacts } from "../../contract/artifacts.ts";
import type { Endpoint } from "../../contract/define.ts";
import { getEvaluationConfig, listEvaluationResults } from "../../contract/evaluations.ts";
import { anyJson, never } from "../../testing/msw.ts";
import { mockServicePerTest } from "../../testing/msw-suite.ts";
import { renderConsole } from "../../testing/render-console.tsx";

const service = mockServicePerTest();

/** Pages that read a list on by themselves, and what they show at its end. */
const pages: readonly (readonly [address: string, endpoint: Endpoint, key: string])[] = [
  ["/agents/agent_clerk/evaluations", listEvaluationResults, "evaluations"],
  ["/artifacts/shared", listArtifacts, "artifacts"],
];
/** One of a first page, and of as many as are tried in vain, twice over. */
const most = 8;

describe.each([
  ["the same cursor again", () => "again"],
  ["two cursors in turn", (asked: number) => `cursor_${asked % 2}`],
  ["a new cursor each time", (asked: number) => `cursor_${asked}`],
])("a service that answers empty pages with %s", (_what, cursorOf) => {
  it.each(pages)("is asked only a few times by %s", async (address, endpoint, key) => {
    service().override(getEvaluationConfig, never);
    let asked = 0;
    service().override(endpoint, () => {
      asked += 1;
      // Whoever asks on and on is stopped by the test, not by the machine.
      return anyJson({ [key]: [], next_cursor: asked > 50 ? null : cursorOf(asked) });
    });
    const { wheelhouse } = renderConsole(address);
    await waitFor(() => expect(asked).toBeGreaterThan(0));
    const isReading = () =>
      wheelhouse.queries.isFetching({ queryKey: [wheelhouse.api.get()?.id, endpoint.name] });
    await waitFor(() => expect(isReading()).toBe(0));
    await screen.findAllByRole("heading");
    expect(asked).toBeLessThanOrEqual(most);
  });
});
