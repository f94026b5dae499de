import type { Path } from "../pipelines/fields.ts";
import { isJsonObject, ownField, toJson } from "../pipelines/json.ts";
import { didYouMean } from "../pipelines/suggest.ts";
import type { Problem } from "./problem.ts";
import type { Workspace } from "./read-workspace.ts";
import type { YamlFile } from "./yaml-file.ts";

/** What files say of each other: ids that are there twice, and ids that are not there. */
export function checkReferences(workspace: Workspace): Problem[] {
  const { settings, source, flows, agents, mcpServers } = workspace;
  const problems: Problem[] = [];
  const people = settings.people.map(({ id }) => id);
  const teams = settings.teams.map(({ id }) => id);
  const flowIds = flows.map(({ id }) => id);
  const known = (what: string, id: string, ids: readonly string[], file: YamlFile, path: Path) => {
    if (ids.includes(id)) return;
    problems.push(file.problem(path, `there is no ${what} "${id}"${didYouMean(id, ids)}`));
  };

  settings.people.forEach((person, index) => {
    const at = ["people", index];
    unique(person.id, people, index, source, [...at, "id"], problems);
    const emails = settings.people.map(({ email }) => email.toLowerCase());
    unique(person.email.toLowerCase(), emails, index, source, [...at, "email"], problems);
    checkKey(person, source, at, problems);
  });
  settings.teams.forEach((team, index) => {
    const at = ["teams", index];
    unique(team.id, teams, index, source, [...at, "id"], problems);
    checkKey(team, source, at, problems);
    for (const [place, member] of team.members.entries()) {
      known("person", member, people, source, [...at, "members", place]);
    }
  });
  const keys = [...settings.people, ...settings.teams].map(({ key }) => key);
  keys.forEach((key, index) => {
    const [list, place] = index < people.length ? ["people", index] : ["teams", index - people.length];
    if (key !== undefined) unique(key, keys, index, source, [list, place, "key"], problems);
  });

  flows.forEach((flow, index) => {
    unique(flow.id, flowIds, index, flow.source, ["id"], problems);
    if (flow.owner !== null) known("person", flow.owner, people, flow.source, ["owner"]);
    if (flow.team !== null) known("team", flow.team, teams, flow.source, ["team"]);
    for (const { path, id } of startedFlows(flow.definition)) {
      known("flow", id, flowIds, flow.source, path);
    }
  });
  agents.forEach((agent, index) => {
    const ids = agents.map(({ id }) => id);
    unique(agent.id, ids, index, agent.source, ["id"], problems);
    known("person", agent.owner, people, agent.source, ["owner"]);
    if (agent.team !== undefined) known("team", agent.team, teams, agent.source, ["team"]);
    agent.tools.forEach((tool, place) => {
      const { type, server_id: server, saved_item_id: flow } = tool;
      if (type === "mcp_server" && typeof server === "string") {
        known("MCP server", server, mcpServers, agent.source, ["tools", place, "server_id"]);
      }
      if (type === "flow" && typeof flow === "string") {
        known("flow", flow, flowIds, agent.source, ["tools", place, "saved_item_id"]);
      }
    });
  });
  return problems;
}

/** The later of two equal values is the one that is wrong. */
function unique(
  value: string,
  all: readonly (string | undefined)[],
  index: number,
  file: YamlFile,
  path: Path,
  problems: Problem[],
): void {
  if (all.indexOf(value) < index) problems.push(file.problem(path, `"${value}" is there twice`));
}

function checkKey(
  { plan, key }: { plan: string; key?: string | undefined },
  file: YamlFile,
  at: Path,
  problems: Problem[],
): void {
  if (key !== undefined && plan === "free") {
    problems.push(file.problem([...at, "key"], "API keys need the plan pro or above"));
  }
}

/** Flows that nodes start, also inside `each`. */
function startedFlows({ nodes }: { nodes: readonly { id: string; node: object }[] }) {
  return nodes.flatMap(({ id, node }) => {
    const config = toJson(node);
    const inner = ownField(config, "do");
    return [
      ...started(config, ["nodes", id, "flow"]),
      ...(isJsonObject(inner) ? started(inner, ["nodes", id, "do", "flow"]) : []),
    ];
  });
}

function started(config: ReturnType<typeof toJson>, path: Path): { path: Path; id: string }[] {
  const flow = ownField(config, "flow");
  return ownField(config, "type") === "flow" && typeof flow === "string" ? [{ path, id: flow }] : [];
}
