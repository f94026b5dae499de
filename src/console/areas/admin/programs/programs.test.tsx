import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import {
  answerProgramRequest,
  endConnectedProgram,
  getProgramRequest,
  listConnectedPrograms,
  listPrograms,
  registerProgram,
} from "../../../../contract/programs.ts";
import { withAdmin } from "../../../../testing/admin.ts";
import { Refusal } from "../../../../testing/msw-state.ts";
import { mockServicePerTest } from "../../../../testing/msw-suite.ts";
import { renderConsole } from "../../../../testing/render-console.tsx";

import { answerAddress } from "./words.ts";

const service = mockServicePerTest();
const consent = "/oauth/consent?request=of_the_program";
const dialog = async (name: string | RegExp) => within(await screen.findByRole("dialog", { name }));

const asked = {
  program: { id: "prog_1", name: "Reporter", kind: "registered", host: null },
  answers_to: "reporter.example",
  scopes: ["read", "run"],
  user: { id: "user_ada", first_name: "Ada", last_name: "Lovelace", email: "ada@example.com" },
  expires_at: "2026-11-20T08:24:00.000Z",
};
const reader = {
  id: "https://reader.example/client.json",
  name: "Harbor Bank",
  kind: "document",
  host: "reader.example",
};

describe("the page on which a program asks", () => {
  it("says in plain words what it will be able to do, as whom, for how long and where it goes", async () => {
    service().override(getProgramRequest, () => asked);
    renderConsole(consent);
    await screen.findByRole("heading", { name: "Allow Reporter to act for you?" });
    expect(screen.getByText(/see agents, conversations, runs/)).toBeInTheDocument();
    expect(screen.getByText(/start, continue and stop/)).toBeInTheDocument();
    expect(screen.queryByText(/create and change agents/)).toBeNull();
    expect(screen.getByText("ada@example.com")).toBeInTheDocument();
    expect(screen.getByText(/30 days pass without/)).toBeInTheDocument();
    expect(screen.getByText("reporter.example")).toBeInTheDocument();
    expect(screen.queryByText("The name is not verified")).toBeNull();
    expect(service().seen(getProgramRequest)[0]?.url.pathname).toContain("of_the_program");
  });

  it("says that a name is not verified, and where the program comes from", async () => {
    service().override(getProgramRequest, () => ({ ...asked, program: reader, scopes: ["everything"] }));
    renderConsole(consent);
    await screen.findByText("The name is not verified");
    expect(screen.getByText("reader.example")).toBeInTheDocument();
    expect(screen.getByText("do what the service calls “everything”")).toBeInTheDocument();
  });

  it.each([
    ["Allow access", true, "Allowed"],
    ["Refuse", false, "Refused"],
  ])("%s sends the answer once", async (name, allow, said) => {
    service().override(getProgramRequest, () => asked);
    // It goes nowhere from here: a browser test shows that it does.
    service().override(answerProgramRequest, () => ({ redirect_url: "" }));
    const { user } = renderConsole(consent);
    await user.click(await screen.findByRole("button", { name }));
    await screen.findByText(said);
    expect(
      service()
        .seen(answerProgramRequest)
        .map(({ body }) => body),
    ).toEqual([{ allow }]);
  });

  it("lets the person take out single things, but not all of them", async () => {
    service().override(getProgramRequest, () => asked);
    service().override(answerProgramRequest, () => ({ redirect_url: "" }));
    const { user } = renderConsole(consent);
    const run = await screen.findByRole("checkbox", { name: /start, continue and stop/ });
    const read = screen.getByRole("checkbox", { name: /see agents/ });
    expect([read, run].map((box) => (box as HTMLInputElement).checked)).toEqual([true, true]);
    await user.click(run);
    await user.click(read);
    expect(screen.getByRole("button", { name: /Allow access/ })).toHaveAttribute("aria-disabled", "true");
    await user.click(screen.getByText(/see agents/));
    await user.click(screen.getByRole("button", { name: "Allow access" }));
    await screen.findByText("Allowed");
    expect(
      service()
        .seen(answerProgramRequest)
        .map(({ body }) => body),
    ).toEqual([{ allow: true, scopes: ["read"] }]);
  });

  it.each([
    ["https://app.example.com/back?code=x", true],
    ["http://127.0.0.1:8080/back", true],
    ["com.example.app:/back", true],
    ["javascript:alert(1)", false],
    ["data:text/html,x", false],
    ["/runs", false],
    ["", false],
  ])("goes to %s: %s", (address, goes) => expect(answerAddress(address) !== null).toBe(goes));

  it("says why there is nothing to answer", async () => {
    service().override(
      getProgramRequest,
      () => new Refusal("not_found", { message: "This request was answered." }),
    );
    renderConsole(consent);
    await screen.findByText(/This request was answered/);
    expect(screen.queryByRole("button", { name: "Allow access" })).toBeNull();
  });
});

describe("programs in the administration", () => {
  it("lists those that the person allowed, and ends one after asking", async () => {
    withAdmin(service(), { role: "member", inHarbor: "viewer" });
    let there = [
      {
        ...{ id: "con_1", program: asked.program, scopes: ["read", "run"] },
        ...{ created_at: "2026-11-20T08:00:00Z", last_used_at: null, expires_at: "2026-12-20T08:00:00Z" },
      },
    ];
    service().override(listConnectedPrograms, () => ({ connections: there, next_cursor: null }));
    service().override(endConnectedProgram, () => {
      there = [];
      return new Response(null, { status: 204 });
    });
    const { user } = renderConsole("/admin?tab=connected");
    const row = within(await screen.findByRole("row", { name: /Reporter/ }));
    expect(row.getByText("Read, Run")).toBeInTheDocument();
    expect(row.getByText("not yet")).toBeInTheDocument();
    expect(row.getByRole("link", { name: "Audit log of Reporter" })).toHaveAttribute(
      "href",
      "/admin?tab=audit&object=program&object_id=con_1",
    );
    // Registering is for admins.
    expect(screen.queryByRole("link", { name: "Programs" })).toBeNull();
    await user.click(screen.getByRole("button", { name: "End access of Reporter" }));
    await user.click((await dialog("End access of Reporter?")).getByRole("button", { name: "End access" }));
    await screen.findByText("No connected programs");
    expect(service().seen(endConnectedProgram)).toHaveLength(1);
  });

  it("says of those that were allowed that there are more than were read", async () => {
    withAdmin(service());
    service().override(listConnectedPrograms, {
      connections: [
        {
          ...{ id: "con_1", program: { ...asked.program, kind: "registered" }, scopes: ["read"] },
          ...{ created_at: "2026-11-20T08:00:00Z", last_used_at: null, expires_at: "2026-12-20T08:00:00Z" },
        },
      ],
      next_cursor: "next",
    });
    renderConsole("/admin?tab=connected");
    await screen.findByText("Newest 1 program");
  });

  it("registers one, shows its secret once, and says what is wrong with an address", async () => {
    withAdmin(service());
    service().override(registerProgram, ({ body }) =>
      body.redirect_uris.includes("wrong")
        ? new Refusal("invalid_parameter", { message: "An address must begin with https://." })
        : {
            program: {
              ...{ id: "prog_new", name: body.name, kind: "registered", host: null, connections: 0 },
              ...{
                redirect_uris: body.redirect_uris,
                confidential: true,
                created_at: "2026-11-20T08:00:00Z",
              },
            },
            secret: "wh_program_whole_secret",
          },
    );
    service().override(listPrograms, () => ({ programs: [], next_cursor: null }));
    const { user } = renderConsole("/admin?tab=programs");
    await screen.findByText("No programs yet");
    await user.click(screen.getAllByRole("button", { name: "Register program" })[0] as HTMLElement);
    const form = await dialog("Register program");
    await user.type(form.getByRole("textbox", { name: "Name" }), "Reporter");
    const addresses = form.getByRole("textbox", { name: "Redirect addresses" });
    await user.type(addresses, "wrong");
    await user.click(form.getByRole("button", { name: "Register program" }));
    await form.findByText(/must begin with https/);
    await user.clear(addresses);
    await user.type(addresses, "https://a.example/back{enter}http://127.0.0.1/back");
    await user.click(form.getByRole("checkbox", { name: /keep a secret/ }));
    await user.click(form.getByRole("button", { name: "Register program" }));
    const shown = await dialog(/Reporter is registered/);
    expect(shown.getByText("wh_program_whole_secret")).toBeInTheDocument();
    expect(shown.getByText("prog_new")).toBeInTheDocument();
    expect(service().seen(registerProgram).at(-1)?.body).toEqual({
      ...{ name: "Reporter", confidential: true },
      redirect_uris: ["https://a.example/back", "http://127.0.0.1/back"],
    });
    await user.click(shown.getByRole("button", { name: "Done" }));
    await waitFor(() => expect(screen.queryByText("wh_program_whole_secret")).toBeNull());
  });
});
