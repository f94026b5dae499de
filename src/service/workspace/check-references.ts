import { agentAliases } from "../../contract/agents.ts";
import type { Definition, NodeDefinition } from "../pipelines/definition.ts";
import type { Path } from "../pipelines/fields.ts";
import { didYouMean } from "../pipelines/suggest.ts";
import type { Problem } from "./problem.ts";
import type { Workspace } from "./read-workspace.ts";
import { readMember } from "./schema.ts";
import type { YamlFile } from "./yaml-file.ts";

/** Tools of agents that name an MCP server (§2.5). */
const serverTypes = ["gumcp_server", "gumstack_server", "mcp_server"];

/** What files say of each other: ids that are there twice, and ids that are not there. */
export function checkReferences(workspace: Workspace): Problem[] {
  const { settings, source, flows, agents, sources, mcpServers } = workspace;
  const problems: Problem[] = [];
  const people = settings.people.map(({ id }) => id);
  const teams = settings.teams.map(({ id }) => id);
  const flowIds = flows.map(({ id }) => id);
  const agentIds = agents.map(({ id }) => id);
  const idsOf = {
    person: people,
    flow: flowIds,
    agent: [...agentIds, ...agentAliases],
    "MCP server": mcpServers,
  };
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
    const members = team.members.map((member) => readMember(member).id);
    for (const [place, member] of team.members.entries()) {
      const path = [...at, "members", place, ...(typeof member === "string" ? [] : ["id"])];
      const { id } = readMember(member);
      known("person", id, people, source, path);
      // The same without any role may be said again.
      const saysRole = team.members.some((other) => typeof other !== "string" && other.id === id);
      if (saysRole) unique(id, members, place, source, path, problems);
    }
  });
  for (const id of Object.keys(settings.retention.teams)) {
    known("team", id, teams, source, ["retention", "teams", id]);
  }
  for (const [id, { operators = [] }] of Object.entries(settings.approvals.teams)) {
    known("team", id, teams, source, ["approvals", "teams", id]);
    const members = (settings.teams.find((team) => team.id === id)?.members ?? []).map(
      (member) => readMember(member).id,
    );
    for (const [place, operator] of operators.entries())
      known(`member of ${id}`, operator, members, source, ["approvals", "teams", id, "operators", place]);
  }
  for (const [group, { teams: given }] of Object.entries(settings.sign_in?.groups ?? {})) {
    for (const id of Object.keys(given))
      known("team", id, teams, source, ["sign_in", "groups", group, "teams", id]);
  }
  const keys = [...settings.people, ...settings.teams].map(({ key }) => key);
  keys.forEach((key, index) => {
    const [list, place] = index < people.length ? ["people", index] : ["teams", index - people.length];
    if (key !== undefined) unique(key, keys, index, source, [list, place, "key"], problems);
  });

  flows.forEach((flow, index) => {
    unique(flow.id, flowIds, index, flow.source, ["id"], problems);
    if (flow.owner !== null) known("person", flow.owner, people, flow.source, ["owner"]);
    if (flow.team !== null) known("team", flow.team, teams, flow.source, ["team"]);
    for (const { path, what, id } of namedBy(flow.definition)) {
      known(what, id, idsOf[what], flow.source, path);
    }
  });
  agents.forEach((agent, index) => {
    unique(agent.id, agentIds, index, agent.source, ["id"], problems);
    known("person", agent.owner, people, agent.source, ["owner"]);
    if (agent.team !== undefined) known("team", agent.team, teams, agent.source, ["team"]);
    agent.tools.forEach((tool, place) => {
      const { type, server_id: server, saved_item_id: flow } = tool;
      if (serverTypes.includes(type) && typeof server === "string") {
        known("MCP server", server, mcpServers, agent.source, ["tools", place, "server_id"]);
      }
      if (type === "flow" && typeof flow === "string") {
        known("flow", flow, flowIds, agent.source, ["tools", place, "saved_item_id"]);
      }
    });
  });
  sources.forEach((entry, index) => {
    const ids = sources.map(({ id }) => id);
    unique(entry.id, ids, index, entry.source, ["id"], problems);
    known("person", entry.owner, people, entry.source, ["owner"]);
    if (entry.team !== undefined) known("team", entry.team, teams, entry.source, ["team"]);
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

interface Named {
  readonly path: Path;
  readonly what: "person" | "flow" | "agent" | "MCP server";
  readonly id: string;
}

/** Flows, agents, servers and people that nodes name, also inside `each`. */
function namedBy({ nodes }: Definition): Named[] {
  return nodes.flatMap(({ id, node }) => {
    const inner = node.type === "each" ? namedByNode(node.do, ["nodes", id, "do"]) : [];
    return [...namedByNode(node, ["nodes", id]), ...inner];
  });
}

function namedByNode(node: NodeDefinition, path: Path): Named[] {
  if (node.type === "flow") return [{ path: [...path, "flow"], what: "flow", id: node.flow }];
  if (node.type === "agent") return [{ path: [...path, "agent"], what: "agent", id: node.agent }];
  if (node.type === "mcp_tool")
    return [{ path: [...path, "server"], what: "MCP server", id: node.server }, ...asked(node, path)];
  return node.type === "approval" ? asked(node, path) : [];
}

const asked = ({ people = [] }: { readonly people?: readonly string[] | undefined }, path: Path): Named[] =>
  people.map((id, place) => ({ path: [...path, "people", place], what: "person", id }));
