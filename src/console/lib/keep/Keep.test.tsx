import { screen, waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { capabilities } from "../../../contract/console.ts";
import { keepConversation, keepRun } from "../../../contract/retention.ts";
import { getRunDetails } from "../../../contract/run.ts";
import { getSession } from "../../../contract/sessions.ts";
import { aDoneRun, someRunDetails } from "../../../testing/builders.ts";
import { aSession } from "../../../testing/conversations.ts";
import { Refusal } from "../../../testing/msw-state.ts";
import { mockServicePerTest } from "../../../testing/msw-suite.ts";
import { renderConsole } from "../../../testing/render-console.tsx";
import { viewSizes } from "../../../testing/view-sizes.ts";

const service = mockServicePerTest();
viewSizes();
const withoutRetention = {
  as: { known: { named: capabilities.filter((name) => name !== "retention"), tried: {} } },
};

type Kept = boolean | undefined;

/** The pages whose menu has it; each with what the service says at each read, and what it answers to a change. */
const pages = [
  {
    ...{ noun: "run", Noun: "Run", address: "/runs/run_hello", menu: "More" },
    ...{ put: keepRun, read: getRunDetails },
    says: (kept: () => Kept | Promise<Kept>) => {
      service().state.runs = [aDoneRun()];
      service().override(getRunDetails, async () =>
        someRunDetails({ run_id: "run_hello", kept: await kept() }),
      );
    },
    answers: (set: (kept: boolean) => boolean | Promise<boolean>) =>
      service().override(keepRun, async ({ body }) => ({ run_id: "run_hello", kept: await set(body.kept) })),
  },
  {
    ...{ noun: "conversation", Noun: "Conversation", menu: "More actions" },
    ...{ put: keepConversation, read: getSession, address: "/agents/agent_clerk/conversations/int_1" },
    says: (kept: () => Kept | Promise<Kept>) =>
      service().override(getSession, async () => aSession({ kept: await kept() })),
    answers: (set: (kept: boolean) => boolean | Promise<boolean>) =>
      service().override(keepConversation, async ({ body }) => ({
        ...{ interaction_id: "int_1", kept: await set(body.kept) },
      })),
  },
] as const;

/** An answer that comes when the test lets it come. */
function held() {
  let give: (kept: boolean) => void = () => {};
  const answer = new Promise<boolean>((resolve) => {
    give = resolve;
  });
  return { answer, give };
}

type Pages = (typeof pages)[number];
type View = ReturnType<typeof renderConsole>;

const openMenu = async ({ user }: View, { menu }: Pages) =>
  user.click(await screen.findByRole("button", { name: menu }));

/** Opens the menu and takes its item. */
async function choose(view: View, page: Pages, name: string) {
  await openMenu(view, page);
  await view.user.click(await screen.findByRole("menuitem", { name }));
}

describe.each(pages)("the page of a $noun", (page) => {
  const { address, noun, Noun, put, read, says, answers } = page;
  const keepIt = `Keep this ${noun}`;
  const mark = () => screen.queryByRole("link", { name: "Kept" });

  it("keeps it from its menu, shows that it is kept, and lets it go by the same item", async () => {
    let isKept = false;
    says(() => isKept);
    answers((kept) => {
      isKept = kept;
      return kept;
    });
    const view = renderConsole(address);
    await choose(view, page, keepIt);
    expect(await screen.findByRole("link", { name: "Kept" })).toHaveAttribute("href", "/retention");
    await screen.findByText(`${Noun} kept`);
    await choose(view, page, "Stop keeping");
    await waitFor(() => expect(mark()).toBeNull());
    await screen.findByText(`${Noun} no longer kept`);
    const sent = service().seen(put);
    expect(sent.map(({ body }) => body)).toEqual([{ kept: true }, { kept: false }]);
    await openMenu(view, page);
    await screen.findByRole("menuitem", { name: keepIt });
  });

  it("calls the mark requested until the service has set it, and asks once", async () => {
    const { answer, give } = held();
    says(() => false);
    answers(() => answer);
    const view = renderConsole(address);
    await choose(view, page, keepIt);
    await screen.findByText("Keep requested…");
    expect(mark()).toBeNull();
    await openMenu(view, page);
    expect(await screen.findByRole("menuitem", { name: keepIt })).toHaveAttribute("aria-disabled", "true");
    says(() => true);
    give(true);
    await waitFor(() => expect(screen.queryByText("Keep requested…")).toBeNull());
    expect(service().seen(put)).toHaveLength(1);
  });

  it("shows the answer of the service, also where the next read does not come", async () => {
    says(() => false);
    answers((kept) => kept);
    const view = renderConsole(address);
    await openMenu(view, page);
    const item = await screen.findByRole("menuitem", { name: keepIt });
    says(() => held().answer);
    await view.user.click(item);
    expect(await screen.findByRole("link", { name: "Kept" })).toBeInTheDocument();
  });

  it("is not taken back by a read that began before the answer", async () => {
    const before = held();
    says(() => false);
    answers((kept) => kept);
    const view = renderConsole(address);
    const { queries } = view.wheelhouse;
    await openMenu(view, page);
    const item = await screen.findByRole("menuitem", { name: keepIt });
    await waitFor(() => expect(queries.isFetching()).toBe(0));
    says(() => before.answer);
    const reads = service().seen(read).length;
    void queries.invalidateQueries();
    await waitFor(() => expect(service().seen(read).length).toBeGreaterThan(reads));
    says(() => true);
    await view.user.click(item);
    await screen.findByRole("link", { name: "Kept" });
    before.give(false);
    await waitFor(() => expect(queries.isFetching()).toBe(0));
    expect(mark()).not.toBeNull();
  });

  it("says why it could not be kept, and does not show it as kept", async () => {
    says(() => false);
    service().override(put, new Refusal("not_found"));
    const view = renderConsole(address);
    await choose(view, page, keepIt);
    await screen.findByText(`The ${noun} was not kept`);
    expect(mark()).toBeNull();
    expect(screen.queryByText("Keep requested…")).toBeNull();
  });

  it("still shows it as kept where the service did not take that back", async () => {
    says(() => true);
    service().override(put, new Response("", { status: 502 }));
    const view = renderConsole(address);
    await choose(view, page, "Stop keeping");
    await screen.findByText(`The ${noun} is still kept`);
    expect(mark()).not.toBeNull();
  });

  it("shows what somebody else has kept meanwhile, at the next read", async () => {
    let isKept = false;
    says(() => isKept);
    const { wheelhouse } = renderConsole(address);
    await screen.findByRole("button", { name: page.menu });
    expect(mark()).toBeNull();
    isKept = true;
    await wheelhouse.queries.invalidateQueries();
    expect(await screen.findByRole("link", { name: "Kept" })).toBeInTheDocument();
  });

  it("offers nothing of it where the service has no retention, or does not say what is kept", async () => {
    says(() => true);
    const without = renderConsole(address, withoutRetention);
    await openMenu(without, page);
    await waitFor(() => expect(service().seen(read)).toHaveLength(1));
    await waitFor(() => expect(without.wheelhouse.queries.isFetching()).toBe(0));
    expect(screen.queryByRole("menuitem", { name: /[Kk]eep/ })).toBeNull();
    expect(mark()).toBeNull();
    without.unmount();
    says(() => undefined);
    const view = renderConsole(address);
    await openMenu(view, page);
    await screen.findAllByRole("menuitem");
    expect(screen.queryByRole("menuitem", { name: /[Kk]eep/ })).toBeNull();
  });
});
