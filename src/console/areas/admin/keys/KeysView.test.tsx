import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import {
  createKey,
  endConsoleSession,
  endConsoleSessions,
  listConsoleSessions,
  listKeys,
  revokeKey,
} from "../../../../contract/admin-keys.ts";
import { aBrowserSession, anApiKey, withAdmin } from "../../../../testing/admin.ts";
import { Refusal } from "../../../../testing/msw-state.ts";
import { mockServicePerTest } from "../../../../testing/msw-suite.ts";
import { renderConsole } from "../../../../testing/render-console.tsx";

const service = mockServicePerTest();
const dialog = async (name: string | RegExp) => within(await screen.findByRole("dialog", { name }));
const lastQuery = (endpoint: typeof listKeys | typeof listConsoleSessions) =>
  Object.fromEntries(service().seen(endpoint).at(-1)?.url.searchParams ?? []);

describe("API keys", () => {
  it("makes a key, shows it once, and revokes it after asking", async () => {
    withAdmin(service(), { role: "member", inHarbor: "viewer" });
    const { user } = renderConsole("/admin?tab=keys");
    await screen.findByText("No API keys yet");
    await user.click(screen.getAllByRole("button", { name: "New key" })[0] as HTMLElement);
    const form = await dialog("New API key");
    // Who looks after no team has nobody else to make one for.
    expect(form.queryByRole("combobox", { name: "Acts as" })).toBeNull();
    await user.type(form.getByRole("textbox", { name: "Name" }), "Backup");
    await user.selectOptions(form.getByRole("combobox", { name: "Expires" }), "30 days");
    await user.click(form.getByRole("button", { name: "Create key" }));
    const shown = await dialog("API key Backup");
    expect(shown.getByText("wh_personal_whole_secret")).toBeInTheDocument();
    expect(service().seen(createKey)[0]?.body).toEqual({ name: "Backup", expires_in_days: 30 });
    await user.click(shown.getByRole("button", { name: "Done" }));
    await waitFor(() => expect(screen.queryByText("wh_personal_whole_secret")).toBeNull());

    await user.click(await screen.findByRole("button", { name: "Revoke Backup" }));
    await user.click((await dialog("Revoke Backup?")).getByRole("button", { name: "Revoke key" }));
    await screen.findByText("No API keys yet");
    expect(service().seen(revokeKey)).toHaveLength(1);
  });

  it("gives the focus to the row of a key that was made, once the key was read", async () => {
    withAdmin(service(), { role: "member", inHarbor: "viewer" });
    const { user } = renderConsole("/admin?tab=keys");
    await user.click((await screen.findAllByRole("button", { name: "New key" }))[0] as HTMLElement);
    await user.type((await dialog("New API key")).getByRole("textbox", { name: "Name" }), "Backup{Enter}");
    const shown = await dialog("API key Backup");
    await screen.findByRole("row", { name: /Backup/, hidden: true });
    await user.click(shown.getByRole("button", { name: "Done" }));
    const row = await screen.findByRole("row", { name: /Backup/ });
    await waitFor(() => expect(row.contains(document.activeElement)).toBe(true));
  });

  it("tells when and from where a key was used last, and why one does not work", async () => {
    withAdmin(service(), {
      keys: [
        anApiKey(),
        anApiKey({
          id: "key_2",
          name: "Old",
          state: "expired",
          last_used_at: null,
          expires_at: "2026-11-01T00:00:00Z",
        }),
      ],
    });
    renderConsole("/admin?tab=keys");
    const row = within(await screen.findByRole("row", { name: /Nightly report/ }));
    expect(row.getByText(/from 192.0.2.7, curl/)).toBeInTheDocument();
    expect(row.getByText("wh_personal_3fXa…")).toBeInTheDocument();
    const old = within(screen.getByRole("row", { name: /Old/ }));
    expect(old.getByText("Expired")).toBeInTheDocument();
  });

  it("lists those of a team by choice, and makes one for it", async () => {
    withAdmin(service());
    const { user } = renderConsole("/admin?tab=keys");
    await user.selectOptions(await screen.findByRole("combobox", { name: "Owner" }), "Team Harbor");
    await screen.findByText("Harbor has no API keys");
    expect(lastQuery(listKeys)).toMatchObject({ team_id: "team_harbor" });
    await user.click(screen.getAllByRole("button", { name: "New key" })[0] as HTMLElement);
    const form = await dialog("New API key");
    expect(form.getByRole("combobox", { name: "Acts as" })).toHaveValue("team_harbor");
    await user.type(form.getByRole("textbox", { name: "Name" }), "Crane{Enter}");
    await dialog("API key Crane");
    expect(service().seen(createKey)[0]?.body).toMatchObject({ team_id: "team_harbor", expires_in_days: 90 });
  });

  it("shows an admin those of a person, and offers to make none", async () => {
    withAdmin(service());
    renderConsole("/admin?tab=keys&user=user_grace");
    await screen.findByText("Grace Hopper has no API keys");
    expect(lastQuery(listKeys)).toMatchObject({ user_id: "user_grace" });
    expect(screen.getByRole("button", { name: "New key" })).toHaveAccessibleDescription(
      "Only they can create a personal key",
    );
  });

  it("C-44: shows the key also to whoever pressed Escape while it was made", async () => {
    withAdmin(service());
    const answer = service().holdBack(createKey, {
      key: anApiKey({ name: "Backup" }),
      secret: "wh_personal_whole_secret",
    });
    const { user } = renderConsole("/admin?tab=keys");
    await user.click((await screen.findAllByRole("button", { name: "New key" }))[0] as HTMLElement);
    const form = await dialog("New API key");
    await user.type(form.getByRole("textbox", { name: "Name" }), "Backup{Enter}");
    await waitFor(() => expect(service().seen(createKey)).toHaveLength(1));
    await user.keyboard("{Escape}");
    answer();
    await screen.findByText("wh_personal_whole_secret");
  });

  it("says that a key was not revoked also to whoever cancelled while it was on its way", async () => {
    withAdmin(service(), { keys: [anApiKey({ name: "Backup" })] });
    const answer = service().holdBack(revokeKey, new Refusal("internal"));
    const { user } = renderConsole("/admin?tab=keys");
    await user.click(await screen.findByRole("button", { name: "Revoke Backup" }));
    const question = await dialog("Revoke Backup?");
    await user.click(question.getByRole("button", { name: "Revoke key" }));
    await waitFor(() => expect(service().seen(revokeKey)).toHaveLength(1));
    await user.click(question.getByRole("button", { name: "Cancel" }));
    answer();
    await screen.findByText("The key was not revoked");
  });

  it("says that a key was not made, and keeps what was typed", async () => {
    withAdmin(service());
    service().override(createKey, new Refusal("internal"));
    const { user } = renderConsole("/admin?tab=keys");
    await user.click((await screen.findAllByRole("button", { name: "New key" }))[0] as HTMLElement);
    const form = await dialog("New API key");
    await user.type(form.getByRole("textbox", { name: "Name" }), "Backup{Enter}");
    await form.findByText("The key was not created");
    expect(form.getByRole("textbox", { name: "Name" })).toHaveValue("Backup");
  });

  it("says to try again where a key was not made for want of the network: nothing does it by itself", async () => {
    withAdmin(service());
    service().override(createKey, Response.error());
    const { user } = renderConsole("/admin?tab=keys");
    await user.click((await screen.findAllByRole("button", { name: "New key" }))[0] as HTMLElement);
    const form = await dialog("New API key");
    await user.type(form.getByRole("textbox", { name: "Name" }), "Backup{Enter}");
    const notice = await form.findByText(/The service is not responding/);
    expect(notice).toHaveTextContent("Try again in a moment.");
    expect(notice).not.toHaveTextContent("automatically");
  });
});

describe("sessions", () => {
  it("says where the person is signed in, ends one, and all others", async () => {
    const has = withAdmin(service(), {
      sessions: [
        aBrowserSession({ id: "session_here", current: true }),
        aBrowserSession(),
        aBrowserSession({ id: "session_2", last_used_at: null }),
      ],
    });
    service().override(endConsoleSessions, () => {
      has.sessions = has.sessions.filter(({ current }) => current);
      return { ended: 1 };
    });
    const { user } = renderConsole("/admin?tab=sessions");
    const here = within(await screen.findByRole("row", { name: /This browser/ }));
    expect(here.getByText("Firefox on Linux")).toBeInTheDocument();
    expect(here.queryByRole("button")).toBeNull();
    await user.click(
      screen.getAllByRole("button", { name: "End session of Firefox on Linux" })[0] as HTMLElement,
    );
    await waitFor(() => expect(has.sessions).toHaveLength(2));
    await user.click(screen.getByRole("button", { name: "End all others" }));
    await user.click((await dialog("End all other sessions?")).getByRole("button", { name: "End sessions" }));
    await waitFor(() => expect(has.sessions).toHaveLength(1));
    expect(service().seen(endConsoleSessions)[0]?.url.searchParams.get("keep_current")).toBe("true");
    await waitFor(() =>
      expect(screen.getByRole("button", { name: "End all others" })).toHaveAccessibleDescription(
        "There are no others",
      ),
    );
  });

  it("C-43: ends all others alone also where this browser's own is among those that were not read", async () => {
    withAdmin(service());
    service().override(listConsoleSessions, { sessions: [aBrowserSession()], next_cursor: "more" });
    service().override(endConsoleSessions, { ended: 60 });
    const { user } = renderConsole("/admin?tab=sessions");
    await user.click(await screen.findByRole("button", { name: /^End all/ }));
    await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "End sessions" }));
    await waitFor(() => expect(service().seen(endConsoleSessions)).toHaveLength(1));
    expect(service().seen(endConsoleSessions)[0]?.url.searchParams.get("keep_current")).toBe("true");
  });

  it("says of a session that it was not ended, also where another is ended meanwhile", async () => {
    const from = { address: "192.0.2.9", user_agent: "curl/8.5.0" };
    withAdmin(service(), {
      sessions: [
        aBrowserSession(),
        aBrowserSession({ id: "session_2", signed_in_from: from, last_used_from: from }),
      ],
    });
    const answer = service().holdBack(endConsoleSession, ({ params }) =>
      params.session_id === "session_1" ? new Refusal("forbidden") : new Response(null, { status: 204 }),
    );
    const { user } = renderConsole("/admin?tab=sessions");
    const first = await screen.findByRole("button", { name: "End session of Firefox on Linux" });
    await user.click(first);
    await user.click(screen.getByRole("button", { name: /^End session of curl/ }));
    answer();
    await screen.findByText("Firefox on Linux was not signed out");
    await screen.findByText("curl signed out");
    expect(screen.getByText("Firefox on Linux was not signed out")).toBeVisible();
  });

  it("ends those of another person for an admin", async () => {
    withAdmin(service(), { sessions: [aBrowserSession()] });
    service().override(endConsoleSessions, { ended: 1 });
    const { user } = renderConsole("/admin?tab=sessions&user=user_grace");
    await user.click(await screen.findByRole("button", { name: "End all" }));
    await user.click(
      (await dialog("End all sessions of Grace Hopper?")).getByRole("button", { name: "End sessions" }),
    );
    await waitFor(() => expect(service().seen(endConsoleSessions)).toHaveLength(1));
    const sent = service().seen(endConsoleSessions)[0]?.url.searchParams;
    expect(Object.fromEntries(sent ?? [])).toEqual({ user_id: "user_grace" });
    expect(lastQuery(listConsoleSessions)).toMatchObject({ user_id: "user_grace" });
  });
});
