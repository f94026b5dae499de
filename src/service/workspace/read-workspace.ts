import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { mcpFile } from "../mcp/config.ts";
import { codeOf } from "../store/store-error.ts";
import { checkReferences } from "./check-references.ts";
import { parseValue } from "./parse.ts";
import type { Problem } from "./problem.ts";
import { type FlowEntry, readFlow } from "./read-flow.ts";
import {
  type AgentFile,
  agentFile,
  type SourceFile,
  sourceFile,
  type WheelhouseFile,
  wheelhouseFile,
} from "./schema.ts";
import { readYaml, type YamlFile } from "./yaml-file.ts";

export interface AgentEntry extends AgentFile {
  readonly source: YamlFile;
}

/** A knowledge source with its documents, which lie beside its file. */
interface SourceEntry extends SourceFile {
  readonly source: YamlFile;
  readonly documents: readonly { readonly name: string; readonly bytes: number }[];
}

/** All that a workspace folder says. */
export interface Workspace {
  readonly settings: WheelhouseFile;
  readonly source: YamlFile;
  readonly flows: readonly FlowEntry[];
  readonly agents: readonly AgentEntry[];
  readonly sources: readonly SourceEntry[];
  /** Ids of the servers in `mcp.json`. */
  readonly mcpServers: readonly string[];
}

/**
 * Reads a workspace folder.
 * @returns every problem that was found; `workspace` is null where `wheelhouse.yaml` cannot be used at all
 */
export async function readWorkspace(
  directory: string,
): Promise<{ readonly workspace: Workspace | null; readonly problems: readonly Problem[] }> {
  const problems: Problem[] = [];
  const open = async (file: string): Promise<YamlFile | null> => {
    const text = await readThere(file, problems, () => readFile(join(directory, file), "utf8"));
    if (text === null) return null;
    const source = readYaml(file, text);
    problems.push(...source.faults);
    return source.faults.length === 0 ? source : null;
  };
  const parse = <S extends Parameters<typeof parseValue>[0]>(schema: S, source: YamlFile) => {
    const { data, faults } = parseValue(schema, source.value);
    problems.push(...(faults ?? []).map(({ path, message }) => source.problem(path, message)));
    return data;
  };

  const source = await open("wheelhouse.yaml");
  if (!source && problems.length === 0) {
    const message = "is missing: it names the people and teams of the workspace";
    problems.push({ file: "wheelhouse.yaml", line: 1, column: 1, field: "", message });
  }
  const settings = source && parse(wheelhouseFile, source);
  const flows: FlowEntry[] = [];
  for (const file of await yamlFiles(directory, "flows", problems)) {
    const flow = await open(file);
    const entry = flow && (await readFlow(flow, problems));
    if (entry) flows.push(entry);
  }
  const agents: AgentEntry[] = [];
  for (const file of await yamlFiles(directory, "agents", problems)) {
    const agent = await open(file);
    const data = agent && parse(agentFile, agent);
    if (agent && data) agents.push({ ...data, source: agent });
  }
  const sources: SourceEntry[] = [];
  for (const folder of await subfolders(directory, "knowledge", problems)) {
    const file = `knowledge/${folder}/source.yaml`;
    const entry = await open(file);
    if (!entry && !problems.some((problem) => problem.file === file)) {
      problems.push({ file, line: 1, column: 1, field: "", message: "is missing: it describes the source" });
    }
    const data = entry && parse(sourceFile, entry);
    const documents = await listDocuments(join(directory, "knowledge", folder));
    if (entry && data) sources.push({ ...data, source: entry, documents });
  }
  const mcp = await open("mcp.json");
  const servers = mcp && parse(mcpFile, mcp);
  if (!source || !settings) return { workspace: null, problems };
  const mcpServers = Object.keys(servers?.mcpServers ?? {});
  const workspace = { settings, source, flows, agents, sources, mcpServers };
  problems.push(...checkReferences(workspace));
  return { workspace, problems: problems.sort(byPlace) };
}

/**
 * What is not there says nothing. What cannot be read is a problem: taken for nothing, its flows would be removed.
 * @returns null for both
 */
async function readThere<T>(file: string, problems: Problem[], read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    const message = `cannot be read (${code})`;
    if (code !== "ENOENT") problems.push({ file, line: 1, column: 1, field: "", message });
    return null;
  }
}

async function yamlFiles(directory: string, folder: string, problems: Problem[]): Promise<string[]> {
  const entries = (await readThere(folder, problems, () => readdir(join(directory, folder)))) ?? [];
  for (const name of entries.filter((entry) => entry.endsWith(".yml"))) {
    const message = "is not read: name it .yaml";
    problems.push({ file: `${folder}/${name}`, line: 1, column: 1, field: "", message });
  }
  return entries
    .filter((name) => name.endsWith(".yaml"))
    .sort()
    .map((name) => `${folder}/${name}`);
}

async function subfolders(directory: string, folder: string, problems: Problem[]): Promise<string[]> {
  const read = () => readdir(join(directory, folder), { withFileTypes: true });
  const entries = (await readThere(folder, problems, read)) ?? [];
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

async function listDocuments(directory: string): Promise<SourceEntry["documents"]> {
  const entries = await readdir(directory, { withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile() && entry.name !== "source.yaml")
    .map(({ name }) => name);
  return Promise.all(
    names.sort().map(async (name) => ({ name, bytes: (await stat(join(directory, name))).size })),
  );
}

function byPlace(left: Problem, right: Problem): number {
  return left.file < right.file
    ? -1
    : left.file > right.file
      ? 1
      : left.line - right.line || left.column - right.column;
}
