import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { getArtifactDownload } from "../../../contract/artifacts.ts";
import { capabilities } from "../../../contract/console.ts";
import { agentStatus } from "../../../contract/interactions.ts";
import { getDeletion, getRetention } from "../../../contract/retention.ts";
import { getSession, listSessions } from "../../../contract/sessions.ts";
import { aSession } from "../../../testing/conversations.ts";
import { Refusal } from "../../../testing/msw-state.ts";
import { mockServicePerTest } from "../../../testing/msw-suite.ts";
import { renderConsole } from "../../../testing/render-console.tsx";
import { deletionWords } from "./deletion.ts";

const service = mockServicePerTest();
const rule = (kind: string, days: number | null, project_id: string | null = null) => ({
  ...{ kind, days, project_id },
});
const deletes = (...rules: readonly ReturnType<typeof rule>[]) =>
  service().override(getRetention, { rules: [...rules], preview: [] });
const withoutRetention = {
  as: { known: { named: capabilities.filter((name) => name !== "retention"), tried: {} } },
};
const runs = /Runs are deleted 90 days after they end/;

describe("a service that deletes by itself", () => {
  it.each([
    [[], null, null],
    [[rule("run_files", 3)], null, null],
    [
      [rule("runs", 90), rule("failed_runs", 90), rule("conversations", 1)],
      "Runs are deleted 90 days after they end.",
      "Conversations are deleted 1 day after their last message.",
    ],
    [
      [rule("runs", 90), rule("failed_runs", 30)],
      "Runs are deleted 90 days after they end, failed runs after 30 days.",
      null,
    ],
    [[rule("runs", 90)], "Runs are deleted 90 days after they end, unless they failed.", null],
    [[rule("failed_runs", 30)], "Failed runs are deleted 30 days after they end.", null],
    [
      [rule("runs", 90), rule("failed_runs", 90), rule("runs", null, "team_harbor")],
      "Runs are deleted 90 days after they end. Some teams have other times.",
      null,
    ],
    [[rule("conversations", 30, "team_harbor")], null, "Some teams delete conversations after a time."],
  ])("says after which time: %j", (rules, ofRuns, ofConversations) => {
    expect(deletionWords(rules, "runs")).toBe(ofRuns);
    expect(deletionWords(rules, "conversations")).toBe(ofConversations);
  });

  it("says so on the page of a run that is not there, and asks for no preview", async () => {
    deletes(rule("runs", 90), rule("failed_runs", 90));
    renderConsole("/runs/run_gone");
    expect(await screen.findByText(runs)).toHaveTextContent(
      /It does not exist, was deleted, or your key has no access to it/,
    );
    expect(
      service()
        .seen(getRetention)
        .map(({ url }) => url.search),
    ).toEqual(["?preview=false"]);
  });

  it("says so on the page of a conversation that is not there", async () => {
    deletes(rule("conversations", 30));
    service().override(getSession, new Refusal("not_found"));
    service().override(agentStatus, new Refusal("interaction_not_found"));
    renderConsole("/agents/agent_clerk/conversations/int_gone");
    await screen.findByText(/Conversations are deleted 30 days after their last message/);
  });

  it("says so where a list of runs has none, also for its filters", async () => {
    deletes(rule("runs", 90), rule("failed_runs", 90));
    const { unmount } = renderConsole("/runs");
    expect(await screen.findByText(runs)).toHaveTextContent(/appear here. Runs are deleted/);
    unmount();
    renderConsole("/runs?state=FAILED");
    expect(await screen.findByText(runs)).toHaveTextContent(
      /Nothing matches these filters. Runs are deleted/,
    );
  });

  it("says so where the list of an agent’s conversations ends, and not where it is filtered", async () => {
    deletes(rule("conversations", 30));
    const { session } = aSession();
    const { messages: _, kept: __, ...summary } = session;
    const words = /Conversations are deleted 30 days after their last message/;
    const lists = (next_cursor: string | null) =>
      service().override(listSessions, { sessions: [summary], next_cursor });
    lists(null);
    const whole = renderConsole("/agents/agent_clerk");
    expect(await screen.findByText(words)).toHaveTextContent(/^1 conversation. Conversations are deleted/);
    whole.unmount();
    renderConsole("/agents/agent_clerk?state=completed");
    await screen.findByText("1 conversation matching");
    expect(screen.queryByText(words)).toBeNull();
  });
});

describe("what is known to be deleted", () => {
  const deleted = (deleted_by: string, rule_days: number | null) =>
    service().override(getDeletion, ({ params: { id } }) => {
      return { id, deleted_ts: "2025-11-03T12:00:00.000+00:00", deleted_by, rule_days };
    });

  it("has a page that says when, and by which rule: a run", async () => {
    deletes(rule("runs", 90));
    deleted("retention", 30);
    renderConsole("/runs/run_gone");
    await screen.findByText("Run deleted");
    await screen.findByText("This run was deleted on 3 Nov 2025 by the retention rule of 30 days.");
    expect(screen.queryByText(runs)).toBeNull();
    expect(
      service()
        .seen(getDeletion)
        .map(({ url }) => url.pathname),
    ).toEqual(["/api/v1/deletions/run_gone"]);
  });

  it("a conversation that a person deleted", async () => {
    deleted("person", null);
    service().override(getSession, new Refusal("not_found"));
    service().override(agentStatus, new Refusal("interaction_not_found"));
    renderConsole("/agents/agent_clerk/conversations/int_gone");
    await screen.findByText("This conversation was deleted on 3 Nov 2025.");
  });

  it("an artifact", async () => {
    deleted("person", null);
    service().override(getArtifactDownload, new Refusal("not_found"));
    renderConsole("/artifacts/art_gone");
    await screen.findByText("Artifact deleted");
    await screen.findByText("This artifact was deleted on 3 Nov 2025.");
    expect(screen.queryByRole("button", { name: "Try again" })).toBeNull();
  });

  it("is not asked for where the service cannot tell", async () => {
    renderConsole("/runs/run_gone", {
      as: { known: { named: capabilities.filter((name) => name !== "deletions"), tried: {} } },
    });
    await screen.findByText(/It does not exist, or your key has no access to it/);
    expect(service().seen(getDeletion)).toEqual([]);
  });
});

describe("a service that deletes nothing, or has no retention", () => {
  it.each([
    ["without rules", undefined],
    ["without the capability", withoutRetention],
  ])("says nothing of it: %s", async (_, options) => {
    deletes();
    renderConsole("/runs/run_gone", options);
    const words = await screen.findByText(/It does not exist, or your key has no access to it/);
    expect(words).not.toHaveTextContent("deleted");
  });
});
