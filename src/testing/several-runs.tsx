import { screen, within } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import type { Run } from "../contract/run.ts";
import { aRun } from "./builders.ts";
import type { MockService } from "./msw.ts";
import { renderConsole } from "./render-console.tsx";

/** What a person does in the runs list to act on several runs, and sees of it. */
export function severalRunsOn(service: () => MockService) {
  /** Runs of `Say hello`, the newest first: `run_0`, `run_1`, … */
  function hasRuns(count: number, make: (part: Partial<Run>) => Run = aRun, from = 0) {
    service().state.runs.push(
      ...Array.from({ length: count }, (_, at) =>
        make({
          run_id: `run_${from + at}`,
          created_ts: new Date(Date.UTC(2026, 10, 20, 8) - (from + at) * 60_000).toISOString(),
        }),
      ),
    );
  }
  /** The box of one run. */
  const boxOf = (id: string) => screen.findByRole("checkbox", { name: new RegExp(`, ${id}$`) });
  const all = () => screen.findByRole("checkbox", { name: "Select all shown" });
  const acts = () => screen.findByRole("region", { name: "Selected runs" });

  /** Opens the list and brings the pointer over it. */
  async function openList(address = "/runs") {
    const made = renderConsole(address);
    await made.user.hover(await screen.findByRole("table", { name: "Runs" }));
    await all();
    return made;
  }
  const act = async (user: UserEvent, name: string) =>
    user.click(within(await acts()).getByRole("button", { name }));
  const confirm = async (user: UserEvent, name: string) =>
    user.click(await within(await screen.findByRole("dialog")).findByRole("button", { name }));
  /** What became of an act, by its title. */
  const results = (title: string) => screen.findByRole("region", { name: title });
  return { hasRuns, boxOf, all, acts, openList, act, confirm, results };
}
