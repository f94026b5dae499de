import { screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { getCapabilities, ownCapabilities } from "../../../contract/console.ts";
import { mockServicePerTest } from "../../../testing/msw-suite.ts";
import { renderConsole } from "../../../testing/render-console.tsx";

const service = mockServicePerTest();
afterEach(() => {
  for (const meta of document.head.querySelectorAll("meta[name=wheelhouse-connections]")) meta.remove();
});

const says = (paused: { since: string; reason: string } | null) => () => ({
  service: "wheelhouse",
  version: "0.2.0",
  extensions: [...ownCapabilities],
  paused,
  caller: { kind: "personal" as const, user: null, team: null },
});

it("S-97: a restored copy says on each page that it is paused and why, until it is let go on", async () => {
  const meta = document.createElement("meta");
  meta.name = "wheelhouse-connections";
  meta.content = JSON.stringify([{ name: "Wheelhouse", path: "/api/v1", kind: "own", paused: true }]);
  document.head.append(meta);
  const reason = "it was restored from a backup, and the installation that this is of may go on elsewhere";
  service().override(getCapabilities, says({ since: new Date(Date.now() - 150_000).toISOString(), reason }));
  const { wheelhouse } = renderConsole("/runs");
  const notice = await screen.findByText(/This service is paused/);
  expect(notice).toHaveTextContent("nothing runs here · for 2 m");
  expect(screen.getByText(/It was restored from a backup/)).toHaveTextContent("wheelhouse resume");
  service().override(getCapabilities, says(null));
  await wheelhouse.queries.refetchQueries();
  await waitFor(() => expect(screen.queryByText(/This service is paused/)).toBeNull());
});

it("a service that works says nothing of it, and is not asked", async () => {
  renderConsole("/runs");
  await screen.findByRole("heading", { level: 1, name: "Runs" });
  expect(screen.queryByText(/paused: nothing runs/)).toBeNull();
});
