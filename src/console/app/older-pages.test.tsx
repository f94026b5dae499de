import { act, screen, waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { getAgentVersion, listAgents, listAgentVersions } from "../../contract/agents.ts";
import { listArtifacts } from "../../contract/artifacts.ts";
import type { Endpoint } from "../../contract/define.ts";
import { listSources } from "../../contract/knowledge.ts";
import { listRuns } from "../../contract/runs.ts";
import { listSessions } from "../../contract/sessions.ts";
import { anAgent, aRunSummary } from "../../testing/builders.ts";
import { aSession } from "../../testing/conversations.ts";
import { anyJson } from "../../testing/msw.ts";
import { Refusal } from "../../testing/msw-state.ts";
import { mockServicePerTest } from "../../testing/msw-suite.ts";
import { renderConsole } from "../../testing/render-console.tsx";

const service = mockServicePerTest();
const at = (n: number) => new Date(Date.UTC(2026, 10, 20) + n * 60_000).toISOString();
const { messages: _, ...session } = aSession().session;
const size = 3;

interface List {
  readonly address: string;
  readonly endpoint: Endpoint;
  /** The name of the rows in the answer. */
  readonly key: string;
  /** The nth row as the service tells it. */
  readonly row: (n: number) => object;
  /** What says on the page that it is there, with its number. */
  readonly word: RegExp;
  readonly button: RegExp;
}

const lists: readonly List[] = [
  {
    address: "/runs",
    endpoint: listRuns,
    key: "runs",
    row: (n) => aRunSummary({ run_id: `run_${n}`, saved_item_name: `Flow ${n}`, created_ts: at(n) }),
    word: /^Flow (\d+)$/,
    button: /Show older/,
  },
  {
    address: "/agents",
    endpoint: listAgents,
    key: "agents",
    row: (n) => anAgent({ id: `agent_${n}`, name: `Clerk ${n}`, created_at: at(n) }),
    word: /^Clerk (\d+)$/,
    button: /Show more/,
  },
  {
    address: "/agents/agent_clerk",
    endpoint: listSessions,
    key: "sessions",
    row: (n) => ({ ...session, id: `int_${n}`, name: `Talk ${n}`, created_at: at(n) }),
    word: /^Talk (\d+)$/,
    button: /Show older/,
  },
  {
    address: "/agents/agent_clerk/versions",
    endpoint: listAgentVersions,
    key: "versions",
    row: (n) => ({
      id: `agent_clerk.${n}`,
      major_version: n,
      is_deployed: false,
      created_at: at(n),
      creator: { id: `user_${n}`, first_name: "Lee", last_name: `Made ${n}`, email: null },
      changed: [],
    }),
    word: /Made (\d+)$/,
    button: /Show older/,
  },
  {
    address: "/artifacts",
    endpoint: listArtifacts,
    key: "artifacts",
    row: (n) => ({ id: `art_${n}`, filename: `file_${n}.txt`, agent_id: "agent_clerk", created_at: at(n) }),
    word: /^file_(\d+)\.txt$/,
    button: /Load 100 more/,
  },
  {
    address: "/knowledge",
    endpoint: listSources,
    key: "sources",
    row: (n) => ({
      id: `source_${n}`,
      name: `Source ${n}`,
      type: "direct_file_uploads",
      scope: "personal",
      status: "active",
      created_at: at(n),
      updated_at: at(n),
    }),
    word: /^Source (\d+)$/,
    button: /Show older/,
  },
];

describe("a list of which older pages were read", () => {
  it.each(lists)("$address loses no row when something new arrives, and shows none twice", async (list) => {
    const { address, endpoint, key, row, word, button } = list;
    let rows = Array.from({ length: 3 * size + 1 }, (_one, n) => 30 - n);
    service().override(endpoint, ({ query }: { query: { cursor?: string } }) => {
      const after = rows.filter((n) => query.cursor === undefined || n < Number(query.cursor));
      const page = after.slice(0, size);
      const next_cursor = after.length > size ? String(page.at(-1)) : null;
      return anyJson({ [key]: page.map(row), next_cursor });
    });
    service().override(getAgentVersion, new Refusal("not_found"));
    const { user, wheelhouse } = renderConsole(address);
    // One walk over the page finds all that is there.
    const numbers = () =>
      screen.queryAllByText(word).map(({ textContent }) => Number(word.exec(textContent)?.[1]));
    const shows = (count: number) =>
      waitFor(() => {
        const found = numbers();
        for (const n of rows.slice(0, count)) expect(found.filter((one) => one === n)).toHaveLength(1);
      });
    await shows(size);
    for (const pages of [2, 3]) {
      await user.click(screen.getByRole("button", { name: button }));
      await shows(pages * size);
    }
    const poll = () => act(() => wheelhouse.queries.refetchQueries({ type: "active" }));
    // Two arrive, then more than the first page holds; then one is deleted.
    rows = [32, 31, ...rows];
    await poll();
    await shows(3 * size + 2);
    rows = [37, 36, 35, 34, 33, ...rows];
    await poll();
    await shows(3 * size + 7);
    const [gone] = rows.splice(4, 1);
    await poll();
    await shows(3 * size + 6);
    await waitFor(() => expect(numbers()).not.toContain(gone));
    // What was read again may have ended further down.
    const rest = screen.queryByRole("button", { name: button });
    if (rest) await user.click(rest);
    await shows(rows.length);
  });
});
