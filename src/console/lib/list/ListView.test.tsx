import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
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
