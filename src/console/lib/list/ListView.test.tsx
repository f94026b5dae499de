import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import type { More } from "../paging/usePages.ts";
import { ListView } from "./ListView.tsx";

const read = {
  ...{ data: undefined, error: null, isPending: false, isError: false, isRetrying: false, readAt: null },
  ...{ isPrevious: false, queryKey: ["runs"], refetch: () => Promise.resolve() },
};

it("counts nothing before it was read, or where it could not be", async () => {
  const view = (query: Parameters<typeof ListView>[0]["list"]["query"]) => (
    <ListView list={{ query }} what="The runs" shape={[]} isEmpty empty="No runs yet" foot="0 runs">
      {null}
    </ListView>
  );
  const { rerender } = render(view({ ...read, isPending: true }));
  screen.getByText("Loading runs");
  expect(screen.queryByText(/0 runs|No runs/)).toBeNull();
  rerender(view({ ...read, isError: true, error: new Error("away") }));
  await screen.findByText("The runs could not be loaded");
  expect(screen.queryByText(/0 runs|No runs/)).toBeNull();
  rerender(view({ ...read, data: [] }));
  screen.getByText("0 runs");
  screen.getByText("No runs yet");
  rerender(view(null));
  screen.getByText("0 runs");
});

it("says that nothing was found so far where the service has more to look through", async () => {
  const readMore = vi.fn();
  const view = (more: More | null) => (
    <ListView
      list={{ query: { ...read, data: [] }, more }}
      {...{ what: "The runs", shape: [], isEmpty: true, empty: "No runs yet", foot: "0 runs" }}
    >
      {null}
    </ListView>
  );
  const { rerender } = render(view({ read: readMore, isReading: false, error: null }));
  screen.getByText("No matches in the newest entries.");
  expect(screen.queryByText("No runs yet")).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Show older" }));
  expect(readMore).toHaveBeenCalledTimes(1);
  rerender(view(null));
  screen.getByText("No runs yet");
});
