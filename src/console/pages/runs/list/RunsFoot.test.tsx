import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { RunsFoot } from "./RunsFoot.tsx";
import type { RunList } from "./run-list.ts";

it("counts no runs before the service has told them, or where it could not", () => {
  const list = { rows: [], older: null } as unknown as RunList;
  const foot = (isRead: boolean) => (
    <RunsFoot list={list} isRead={isRead} isService isFiltered={false} over={null} />
  );
  const { rerender } = render(foot(false));
  expect(screen.queryByText(/0 runs/)).toBeNull();
  rerender(foot(true));
  screen.getByText("0 runs, all that this service knows for you");
});
