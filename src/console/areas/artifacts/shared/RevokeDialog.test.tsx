import { screen, within } from "@testing-library/react";
import { it } from "vitest";
import type { ItemAccess } from "../../../../contract/access.ts";
import { listArtifacts } from "../../../../contract/artifacts.ts";
import { anArtifact, keepAccess, someAccess } from "../../../../testing/access.ts";
import { mockServicePerTest } from "../../../../testing/msw-suite.ts";
import { renderConsole } from "../../../../testing/render-console.tsx";

const service = mockServicePerTest();

/** Lets one artifact be shared like this, and opens what takes it away. */
async function open(access: Partial<ItemAccess>) {
  const kept = keepAccess(service(), { art_1: someAccess(access) });
  const sharing = { link: access.link ?? "none", people: 1, teams: 0, organization: false };
  const artifacts = [{ ...anArtifact({ id: "art_1", filename: "plan.md" }), sharing }];
  service().override(listArtifacts, { artifacts, next_cursor: null });
  const { user } = renderConsole("/artifacts/shared");
  await user.click(await screen.findByRole("button", { name: "Stop sharing plan.md" }));
  return { kept, user, dialog: within(await screen.findByRole("dialog")) };
}

const [owner = { email: "", name: "", role: "" }] = someAccess().people;
const grace = { email: "grace@example.com", name: "Grace Sample", role: "viewer" };

it("taking everything away says that a team still views what was made for it", async () => {
  const { user, dialog } = await open({ people: [owner, grace], made_for_team_id: "team_harbor" });
  await user.click(await dialog.findByRole("button", { name: "Remove 1" }));
  await dialog.findByText("1 of 1 revoked, 1 still open to the team it was created for");
  await dialog.findByText(/Everyone in Harbor can still view it, because it was created for that team/);
});
