import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { RunsFoot } from "./RunsFoot.tsx";

it("counts no runs before the service has told them, or where it could not", () => {
  const foot = (isRead: boolean) => (
    <RunsFoot list={{ rows: [], older: null }} isRead={isRead} isService isFiltered={false} over={null} />
  );
  const { rerender } = render(foot(false));
  expect(screen.queryByText(/0 runs/)).toBeNull();
  rerender(foot(true));
  screen.getByText("0 runs");
});
