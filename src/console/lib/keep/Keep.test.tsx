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

/** The pages whose menu has it. */
const pages = [
  {
    ...{ noun: "run", Noun: "Run", address: "/runs/run_hello", menu: "More", put: keepRun },
    id: { run_id: "run_hello" },
    read: getRunDetails,
    /** The service says of it, at each read, what is kept then. */
    says: (kept: () => boolean | undefined) => {
      service().state.runs = [aDoneRun()];
      service().override(getRunDetails, () => someRunDetails({ run_id: "run_hello", kept: kept() }));
    },
  },
  {
    ...{ noun: "conversation", Noun: "Conversation", menu: "More actions", put: keepConversation },
    address: "/agents/agent_clerk/conversations/int_1",
    id: { interaction_id: "int_1" },
    read: getSession,
    says: (kept: () => boolean | undefined) =>
      void service().override(getSession, () => aSession({ kept: kept() })),
  },
] as const;

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
  const { address, noun, Noun, put, id, read, says } = page;
  const keepIt = `Keep this ${noun}`;
  const mark = () => screen.queryByRole("link", { name: "Kept" });

  it("keeps it from its menu, shows that it is kept, and lets it go by the same item", async () => {
    let isKept = false;
    says(() => isKept);
    service().override(put, ({ body }) => {
      isKept = body.kept;
      return { ...id, ...body } as never;
    });
    const view = renderConsole(address);
    await choose(view, page, keepIt);
    expect(await screen.findByRole("link", { name: "Kept" })).toHaveAttribute("href", "/retention");
    await screen.findByText(`${Noun} kept`);
    await choose(view, page, "Stop keeping");
    await waitFor(() => expect(mark()).toBeNull());
    await screen.findByText(`${Noun} no longer kept`);
    expect(
      service()
        .seen(put)
        .map(({ body }) => body),
    ).toEqual([{ kept: true }, { kept: false }]);
    await openMenu(view, page);
    await screen.findByRole("menuitem", { name: keepIt });
  });

  it("calls the mark requested until the service has set it, and asks once", async () => {
    says(() => false);
    let answers: (answer: never) => void = () => {};
    service().override(
      put,
      () =>
        new Promise<never>((resolve) => {
          answers = resolve;
        }),
    );
    const view = renderConsole(address);
    await choose(view, page, keepIt);
    await screen.findByText("Keep requested…");
    expect(mark()).toBeNull();
    await openMenu(view, page);
    expect(await screen.findByRole("menuitem", { name: keepIt })).toHaveAttribute("aria-disabled", "true");
    says(() => true);
    answers({ ...id, kept: true } as never);
    await waitFor(() => expect(screen.queryByText("Keep requested…")).toBeNull());
    expect(service().seen(put)).toHaveLength(1);
  });

  it("shows the answer of the service, also where the next read does not come", async () => {
    let reads = 0;
    says(() => false);
    service().override(put, { ...id, kept: true } as never);
    const view = renderConsole(address);
    await screen.findByRole("button", { name: page.menu });
    await openMenu(view, page);
    const item = await screen.findByRole("menuitem", { name: keepIt });
    service().override(read, () => {
      reads++;
      return new Promise<never>(() => {});
    });
    await view.user.click(item);
    expect(await screen.findByRole("link", { name: "Kept" })).toBeInTheDocument();
    await waitFor(() => expect(reads).toBeGreaterThan(0));
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
