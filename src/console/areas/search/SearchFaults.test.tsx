import { screen, waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { listArtifacts } from "../../../contract/artifacts.ts";
import { listRuns } from "../../../contract/runs.ts";
import { listSessions } from "../../../contract/sessions.ts";
import { Refusal } from "../../../testing/msw-state.ts";
import { mockServicePerTest } from "../../../testing/msw-suite.ts";
import { renderConsole } from "../../../testing/render-console.tsx";

const service = mockServicePerTest();

describe("searching everywhere while the service fails", () => {
  it("claims to have looked through nothing where no list could be read", async () => {
    for (const list of [listRuns, listSessions, listArtifacts] as const)
      service().override(list, new Refusal("internal"));
    renderConsole("/search?q=crane");
    await waitFor(() => expect(screen.getByRole("main")).toHaveTextContent(/nothing to search/), {
      timeout: 10_000,
    });
    const page = screen.getByRole("main");
    expect(page).toHaveTextContent("Some lists could not be loaded");
    expect(page).toHaveTextContent("Some items could not be loaded");
    expect(page).not.toHaveTextContent(/No matches for|Everything was searched|Searched/);
  }, 300_000);
});
