import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { listMcpServers, listMcpTools } from "../../../contract/mcp.ts";
import { disconnectMcp, startMcpSignIn } from "../../../contract/mcp-connection.ts";
import { aConnection, anMcpServer } from "../../../testing/builders.ts";
import { Refusal } from "../../../testing/msw-state.ts";
import { mockServicePerTest } from "../../../testing/msw-suite.ts";
import { renderConsole } from "../../../testing/render-console.tsx";

const service = mockServicePerTest();
const side = async () => within(await screen.findByRole("region", { name: "You" }));
const connect = async () => (await side()).findByRole("button", { name: "Connect" });

/** Two servers that wait for the person's sign-in. */
function twoClosed() {
  const closed = {
    status: "unauthenticated" as const,
    connection: aConnection({ signed_in_at: null, succeeded_at: null }),
  };
  service().override(listMcpServers, {
    servers: [anMcpServer(closed), anMcpServer({ ...closed, server_id: "drive", name: "Drive" })],
  });
}
const signInAt = (authorization_url: string) => service().override(startMcpSignIn, { authorization_url });

describe("the start of a sign-in", () => {
  it("can be pressed again after Back from the server's own page", async () => {
    twoClosed();
    signInAt(`${window.location.href}#the-page-of-the-server`);
    const { user } = renderConsole("/mcp?server=almanac");
    await user.click(await connect());
    await waitFor(() => expect(window.location.hash).toBe("#the-page-of-the-server"));
    expect(await connect()).toHaveAttribute("aria-busy", "true");
    // The browser shows the page as it was left.
    window.dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
    await waitFor(async () => expect(await connect()).not.toHaveAttribute("aria-busy", "true"));
  });

  it("C-05: says that it came to nothing where the address is none that a browser may open", async () => {
    twoClosed();
    signInAt("javascript:alert(1)");
    const { user } = renderConsole("/mcp?server=almanac");
    await user.click(await connect());
    await screen.findByText("The sign-in could not be started");
    expect(await connect()).not.toHaveAttribute("aria-busy", "true");
  });

  it("leads to the server that was pressed last, where another one answers first", async () => {
    twoClosed();
    const answers = new Map<string, () => void>();
    service().override(startMcpSignIn, async ({ body }) => {
      await new Promise<void>((resolve) => answers.set(body.server_id, resolve));
      return { authorization_url: `${window.location.href.split("#")[0]}#page-of-${body.server_id}` };
    });
    const { user, router } = renderConsole("/mcp?server=almanac");
    const visited: string[] = [];
    window.addEventListener("hashchange", ({ newURL }) => visited.push(new URL(newURL).hash));
    await user.click(await connect());
    await waitFor(() => expect(answers.has("almanac")).toBe(true));
    await router.navigate({ to: "/mcp", search: { server: "drive" } });
    await screen.findByRole("heading", { name: "Drive" });
    await user.click(await connect());
    await waitFor(() => expect(answers.has("drive")).toBe(true));
    answers.get("almanac")?.();
    answers.get("drive")?.();
    await waitFor(() => expect(visited).toContain("#page-of-drive"));
    expect(visited).toEqual(["#page-of-drive"]);
  });

  it("leads no one away from the page that they went to meanwhile", async () => {
    twoClosed();
    const page = `${window.location.href.split("#")[0]}#left-for`;
    const answer = service().holdBack(startMcpSignIn, { authorization_url: page });
    const { user, wheelhouse } = renderConsole("/mcp?server=almanac");
    await user.click(await connect());
    await waitFor(() => expect(service().seen(startMcpSignIn)).toHaveLength(1));
    await user.click(screen.getByRole("link", { name: "Runs" }));
    await screen.findByRole("heading", { name: "Runs" });
    answer();
    await waitFor(() => expect(wheelhouse.queries.isMutating()).toBe(0));
    expect(window.location.href).not.toBe(page);
  });

  it("says of no other server that it was refused", async () => {
    twoClosed();
    service().override(startMcpSignIn, new Refusal("forbidden"));
    const { user, router } = renderConsole("/mcp?server=almanac");
    await user.click(await connect());
    await screen.findByText("The sign-in could not be started");
    await router.navigate({ to: "/mcp", search: { server: "drive" } });
    await screen.findByRole("heading", { name: "Drive" });
    expect(screen.queryByText("The sign-in could not be started")).toBeNull();
  });
});

it("says that a server was not disconnected also to whoever cancelled while it was on its way", async () => {
  service().override(listMcpServers, { servers: [anMcpServer({ connection: aConnection() })] });
  service().override(listMcpTools, { tools: [] });
  const answer = service().holdBack(
    disconnectMcp,
    new Refusal("internal", { message: "The sign-in was not deleted." }),
  );
  const { user } = renderConsole("/mcp?server=almanac");
  await user.click(await (await side()).findByRole("button", { name: "Disconnect…" }));
  const question = within(await screen.findByRole("dialog", { name: "Disconnect Almanac for yourself?" }));
  await user.click(question.getByRole("button", { name: "Disconnect" }));
  await waitFor(() => expect(service().seen(disconnectMcp)).toHaveLength(1));
  await user.click(question.getByRole("button", { name: "Cancel" }));
  answer();
  await screen.findByText(/The sign-in was not deleted/);
});
