import { screen, waitFor } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";
import { listAgents } from "../../../../contract/agents.ts";
import { getRun } from "../../../../contract/run.ts";
import { Refusal } from "../../../../testing/msw-state.ts";
import { mockServicePerTest } from "../../../../testing/msw-suite.ts";
import { renderConsole } from "../../../../testing/render-console.tsx";
import { aSignIn } from "../../../../testing/test-wheelhouse.ts";
import { ConsoleError } from "../../../api/errors.ts";

const key = "wh_personal_for_a_test_4fQ2";
const service = mockServicePerTest(() => ({ state: { keys: [key] } }));
beforeEach(() => localStorage.clear());

async function typeIn(address = "/sign-in", secret = key) {
  const rendered = renderConsole(address, { as: null });
  const { user } = rendered;
  await user.type(await screen.findByLabelText("Key"), secret);
  await user.type(screen.getByLabelText("User ID"), "user_ada");
  return rendered;
}

const refusedLink = (status: number, code: string, message: string) =>
  new ConsoleError(
    {
      ...{ kind: "http", status, code, message, param: null, details: null },
      ...{ requestId: "req_9", retryAfterMs: null },
    } as const,
    "createConsoleSession",
  );

describe("signing in", () => {
  it("checks line by line, keeps the button flat until the last, and goes where one wanted to go", async () => {
    const { user, router, wheelhouse } = await typeIn("/runs/new?flow=flow_hello");
    const button = screen.getByRole("button", { name: "Sign in" });
    expect(button).toHaveAttribute("aria-disabled", "true");
    await screen.findByText("Wheelhouse is reachable");
    await screen.findByText("Key accepted");
    await screen.findByText("You are in 1 team");
    await screen.findByText("Features loaded");
    await waitFor(() => expect(button).not.toHaveAttribute("aria-disabled"));
    await user.click(button);
    await screen.findByRole("heading", { level: 2, name: "Say hello" });
    expect(router.state.location.pathname).toBe("/runs/new");
    expect(wheelhouse.session.state.get()).toMatchObject({ status: "signed-in" });
  });

  it("says whose refusal it is, what it means and the last letters, and offers to check again", async () => {
    await typeIn("/sign-in", "wh_personal_mistyped_9hWm");
    const alert = await screen.findByRole("alert");
    expect(alert).toHaveTextContent("Wheelhouse does not know this key");
    expect(alert).toHaveTextContent("Check that it ends in 9hWm.");
    expect(alert).toHaveTextContent("401");
    expect(screen.getByRole("button", { name: "Check again" })).toBeInTheDocument();
    expect(screen.queryByRole("button", { name: "Sign in" })).toBeNull();
  });

  it("tells a plan below Pro from a wrong key", async () => {
    service().override(listAgents, new Refusal("plan_upgrade_required"));
    const { user } = await typeIn();
    expect(await screen.findByRole("alert")).toHaveTextContent(
      /The key is valid, but your plan does not include keys.*403 plan_upgrade_required/,
    );
    await user.click(screen.getByRole("button", { name: "Use an access token" }));
    expect(screen.getByRole("radio", { name: "Access token" })).toBeChecked();
  });

  it("says that a personal key does not act for somebody else", async () => {
    service().override(getRun, new Refusal("forbidden"));
    await typeIn();
    expect(await screen.findByRole("alert")).toHaveTextContent("This key can’t act for user_ada");
  });

  it("finds the person of a personal key by itself", async () => {
    service().state.person = { id: "user_ada", first_name: "Ada", last_name: "Byron", email: null };
    const { user, wheelhouse } = renderConsole("/sign-in", { as: null });
    await screen.findByText("Enter a key");
    await user.type(screen.getByLabelText("Key"), key);
    await screen.findByText("You are in 1 team");
    await user.click(screen.getByRole("button", { name: "Sign in" }));
    await waitFor(() =>
      expect(wheelhouse.session.state.get()).toMatchObject({
        as: { credential: { userId: "user_ada" }, userName: "Ada Byron" },
      }),
    );
  });

  it("asks for the user id only where the service does not say whose key it is", async () => {
    service().state.capabilities = null;
    const { user, wheelhouse } = renderConsole("/sign-in", { as: null });
    await user.type(await screen.findByLabelText("Key"), key);
    await screen.findByText("Wheelhouse can’t tell whose key this is. Enter your user ID.");
    expect(screen.getByRole("button", { name: "Sign in" })).toHaveAttribute("aria-disabled", "true");
    await user.type(screen.getByLabelText("User ID"), "user_ada");
    await screen.findByText("You are in 1 team");
    await user.click(screen.getByRole("button", { name: "Sign in" }));
    await waitFor(() =>
      expect(wheelhouse.session.state.get()).toMatchObject({ as: { credential: { userId: "user_ada" } } }),
    );
  });

  it("remembers connection, user and team for the next day, and never the key", async () => {
    const { user, unmount } = await typeIn();
    await user.selectOptions(await screen.findByRole("combobox", { name: /Team/ }), "team_harbor");
    await waitFor(() =>
      expect(screen.getByRole("button", { name: "Sign in" })).not.toHaveAttribute("aria-disabled"),
    );
    await user.click(screen.getByRole("button", { name: "Sign in" }));
    await screen.findByRole("navigation", { name: "Pages" });
    unmount();
    expect(JSON.stringify({ ...localStorage })).not.toContain(key);
    sessionStorage.clear();
    renderConsole("/sign-in", { as: null });
    expect(await screen.findByLabelText("Key")).toHaveValue("");
    expect(screen.getByLabelText("User ID")).toHaveValue("user_ada");
    expect(screen.getByRole("textbox", { name: /^Team/ })).toHaveValue("team_harbor");
  });

  it("remembers nothing of a sign-in for one tab only", async () => {
    const { user, unmount } = await typeIn();
    await user.click(screen.getByRole("checkbox", { name: "For this tab only" }));
    await waitFor(() =>
      expect(screen.getByRole("button", { name: "Sign in" })).not.toHaveAttribute("aria-disabled"),
    );
    await user.click(screen.getByRole("button", { name: "Sign in" }));
    await screen.findByRole("navigation", { name: "Pages" });
    unmount();
    sessionStorage.clear();
    expect(JSON.stringify({ ...localStorage })).not.toContain("user_ada");
    renderConsole("/sign-in", { as: null });
    expect(await screen.findByLabelText("Key")).toHaveValue("");
    expect(screen.queryByDisplayValue("user_ada")).toBeNull();
  });

  it("says that a sign-in link did not work and how to get another, until a field changes", async () => {
    const error = refusedLink(401, "sign_in_link_invalid", "The link was used already.");
    const { user } = renderConsole("/sign-in", { as: null, started: { kind: "link-refused", error } });
    expect(await screen.findByRole("alert")).toHaveTextContent(
      /The sign-in link did not work.*used already.*once, within ten minutes.*npm run wheelhouse -- sign-in-link/,
    );
    await user.type(screen.getByLabelText("Key"), "w");
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it("S-180: says how long to wait where too many wrong links came from the network", async () => {
    const error = refusedLink(429, "too_many_requests", "Too many wrong links. Try again in 8 seconds.");
    renderConsole("/sign-in", { as: null, started: { kind: "link-refused", error } });
    const alert = await screen.findByRole("alert");
    expect(alert).toHaveTextContent(/Too many attempts.*Try again in 8 seconds\. Then open the link again\./);
    expect(alert).not.toHaveTextContent("npm run");
  });

  it("goes where one wanted to go when another tab hands over its sign-in late", async () => {
    const { router, wheelhouse } = renderConsole("/sign-in?next=%2Fruns%2Fnew%3Fflow%3Dflow_hello", {
      as: null,
    });
    await screen.findByLabelText("Key");
    wheelhouse.session.signIn({ ...aSignIn(), credential: { ...aSignIn().credential, secret: key } });
    await screen.findByRole("heading", { level: 2, name: "Say hello" });
    expect(router.state.location.pathname).toBe("/runs/new");
  });

  it("never follows an address to another origin after signing in", async () => {
    const { router } = renderConsole("/sign-in?next=//evil.example/x", { as: null });
    await screen.findByLabelText("Key");
    expect(router.state.matches.at(-1)?.search).toEqual({ next: undefined });
  });
});

describe("a key that is refused in the middle", () => {
  it("C-21: asks once over the page, keeps what was typed, and goes on with the new key", async () => {
    const { user } = renderConsole("/runs/new?flow=flow_hello", {
      as: { credential: { kind: "personal", secret: key, userId: "user_ada", teamId: null } },
    });
    await user.type(await screen.findByRole("textbox", { name: /^name/ }), "typed before");
    service().state.keys = ["wh_personal_another_one_1"];
    await user.click(screen.getByRole("button", { name: "Start run" }));
    const dialog = await screen.findByRole("dialog", { name: "Your key is no longer accepted" });
    expect(dialog).toHaveTextContent("This page and what you typed are kept");
    await user.type(screen.getByLabelText("Key for Wheelhouse"), "wh_personal_another_one_1");
    await user.click(screen.getByRole("button", { name: "Sign in and continue" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await screen.findByRole("heading", { level: 2, name: "Say hello" });
    await waitFor(() => expect(service().state.runs).toHaveLength(1));
  });

  it("C-26: shows the sign-in page after signing out, and nothing of the person", async () => {
    const { wheelhouse } = renderConsole("/runs", {
      as: { credential: { kind: "personal", secret: key, userId: "user_ada", teamId: null } },
    });
    await screen.findByRole("navigation", { name: "Pages" });
    wheelhouse.session.signOut();
    await screen.findByRole("heading", { name: "Sign in" });
    expect(wheelhouse.queries.getQueryCache().getAll()).toHaveLength(0);
  });
});
