import { EditorView } from "@codemirror/view";
import { act, screen } from "@testing-library/react";
import { type Agent, listAgentVersions, updateAgent } from "../contract/agents.ts";
import { listMcpServers, listMcpTools } from "../contract/mcp.ts";
import type { MockService } from "./msw.ts";
import { Refusal } from "./msw-state.ts";

/**
 * Lets the mock service take changes of its first agent as §4.14 says: a stale version is refused, metadata merges by
 * section, the version rises.
 * @param drops keys of metadata that it does not keep, as `section.key`
 * @param wait how long it takes to answer
 */
export function takeChanges(
  service: MockService,
  drops: readonly string[] = [],
  wait = async (): Promise<void> => {},
): void {
  service.override(updateAgent, async ({ body }) => {
    await wait();
    const [agent] = service.state.agents;
    if (!agent) return new Refusal("not_found");
    if (body.version != null && body.version !== agent.version) return new Refusal("agent_version_conflict");
    const { version: _, metadata, ...plain } = body;
    const given = Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined));
    const sections = Object.entries(metadata ?? {}).map(([section, value]) => {
      const merged = isObject(value) ? { ...asObject(agent.metadata[section]), ...value } : value;
      return [section, isObject(merged) ? without(merged, section, drops) : merged];
    });
    const next = {
      ...agent,
      ...given,
      metadata: { ...agent.metadata, ...Object.fromEntries(sections) },
      version: agent.version + 1,
    } as Agent;
    service.state.agents = [next];
    return { agent: next };
  });
  service.override(listMcpServers, { servers: [] });
  service.override(listMcpTools, { tools: [] });
  service.override(listAgentVersions, () => ({
    versions: service.state.agents.map(({ version }) => ({
      id: `v${version}`,
      major_version: version,
      is_deployed: true,
      created_at: "2026-11-20T08:00:00.000Z",
      creator: {
        id: "user_grace",
        first_name: "Grace",
        last_name: "Hopper",
        email: null,
      },
    })),
    next_cursor: null,
  }));
}

/** Somebody else changes the mock service's first agent. */
export function changeElsewhere(service: MockService, part: Partial<Agent>): void {
  service.state.agents = service.state.agents.map((agent) => ({
    ...agent,
    ...part,
    version: agent.version + 1,
  }));
}

/** Writes a text into an editor, in the place of what stands there. */
export async function writeInto(label: string, text: string): Promise<void> {
  await screen.findByRole("textbox", { name: label });
  // The plain field stands there until the editor is loaded.
  const view = await screen.findByText((_, element) => viewOf(element, label) !== null, {
    selector: ".cm-editor",
  });
  act(() => {
    const editor = viewOf(view, label);
    editor?.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text } });
  });
}

function viewOf(element: Element | null, label: string): EditorView | null {
  if (!(element instanceof HTMLElement) || !element.querySelector(`[aria-label="${label}"]`)) return null;
  return EditorView.findFromDOM(element);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === "object" && !Array.isArray(value);
const asObject = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {});

function without(value: Record<string, unknown>, section: string, drops: readonly string[]) {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !drops.includes(`${section}.${key}`)));
}
