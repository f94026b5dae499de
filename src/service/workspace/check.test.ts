import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { nodeTypes } from "../nodes/registry.ts";
import { openWorkspace, runCheck } from "./check.ts";
import { workspaceSchemas } from "./json-schemas.ts";
import { problemLine } from "./problem.ts";
import { readWorkspace } from "./read-workspace.ts";

const root = resolve(import.meta.dirname, "../../..");
const sample = join(root, "workspace");
let scratch = "";
beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), "wheelhouse-check-"));
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const people = `people:
  - { id: user_ada, email: ada@example.com, first_name: Ada, last_name: A, plan: pro }
teams:
  - { id: team_harbor, name: Harbor, plan: pro, members: [user_ada] }
`;
const flow = (nodes: string, head = "id: flow_a\nname: A\nteam: team_harbor") => `${head}\nnodes:\n${nodes}`;

const problemsOf = async (directory: string) => (await readWorkspace(directory)).problems.map(problemLine);

let made = 0;
async function check(files: Record<string, string>): Promise<string[]> {
  const directory = join(scratch, `w${++made}`);
  for (const [name, text] of Object.entries({ "wheelhouse.yaml": people, ...files })) {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    writeFileSync(join(directory, name), text);
  }
  return await problemsOf(directory);
}

describe("Checking a workspace names file, line, column and field of", () => {
  test("a folder without wheelhouse.yaml", async () => {
    mkdirSync(join(scratch, "none"));
    expect(await problemsOf(join(scratch, "none"))).toEqual([
      "wheelhouse.yaml:1:1 is missing: it names the people and teams of the workspace",
    ]);
  });

  test("files and folders that cannot be read", async () => {
    const directory = join(scratch, "unreadable");
    mkdirSync(join(directory, "agents", "a.yaml"), { recursive: true });
    writeFileSync(join(directory, "wheelhouse.yaml"), people);
    for (const folder of ["flows", "knowledge"]) writeFileSync(join(directory, folder), "no folder");
    expect(await problemsOf(directory)).toEqual([
      "agents/a.yaml:1:1 cannot be read (EISDIR)",
      "flows:1:1 cannot be read (ENOTDIR)",
      "knowledge:1:1 cannot be read (ENOTDIR)",
    ]);
    const file = join(directory, "wheelhouse.yaml");
    expect(await problemsOf(file)).toContain("wheelhouse.yaml:1:1 cannot be read (ENOTDIR)");
  });

  test("S-80: names that nobody sees, and texts and sections over the limits of requests", async () => {
    const agent = (fields: object) => ({
      "agents/a.yaml": JSON.stringify({ id: "agent_a", name: "A", owner: "user_ada", ...fields }),
    });
    const said = async (fields: object) =>
      (await check(agent(fields))).map((line) => line.replace(/^\S+ /, ""));
    expect(await said({ name: "\u3164" })).toEqual(["name: must not be blank"]);
    expect(await said({ system_prompt: "x".repeat(200_001) })).toEqual([
      "system_prompt: must have at most 200,000 characters",
    ]);
    expect(await said({ metadata: { chat: { starter_prompts: ["a", "x".repeat(2_001)] } } })).toEqual([
      "metadata.chat.starter_prompts.1: must have at most 2,000 characters",
    ]);
    expect(await said({ tools: Array.from({ length: 129 }, () => ({ type: "http_get" })) })).toEqual([
      "tools: must have at most 128 items",
    ]);
    expect(await said({ system_prompt: "x".repeat(100_000) })).toEqual([]);
  });

  test("a time in retention that is none, a kind that there is not, and a team that there is not", async () => {
    const written = (text: string) => check({ "wheelhouse.yaml": `${people}retention:\n${text}` });
    const time = "must be a number of days, weeks or years such as 90d, 12w or 1y, or forever";
    for (const wrong of ["90", "0d", "1m", "90 d", "-1d", "1.5y", "99999d"]) {
      expect(await written(`  runs: "${wrong}"\n`)).toEqual([`wheelhouse.yaml:6:3 retention.runs: ${time}`]);
    }
    expect(await written("  logs: 90d\n")).toEqual([
      expect.stringMatching(/^wheelhouse\.yaml:6:3 retention/),
    ]);
    const team = (id: string, rule: string) => written(`  runs: 1y\n  teams:\n    ${id}: { ${rule} }\n`);
    expect(await team("team_harbr", "runs: 2y")).toEqual([
      'wheelhouse.yaml:8:5 retention.teams.team_harbr: there is no team "team_harbr" (did you mean "team_harbor"?)',
    ]);
    expect(await team("team_harbor", "conversations: soon")).toEqual([
      `wheelhouse.yaml:8:20 retention.teams.team_harbor.conversations: ${time}`,
    ]);
    expect(await team("team_harbor", "runs: forever, run_files: 12w")).toEqual([]);
  });

  test("YAML that cannot be read, and a key that is there twice", async () => {
    expect(await check({ "flows/a.yaml": "id: [1" })).toEqual([
      expect.stringMatching(/^flows\/a\.yaml:1:\d+ /),
    ]);
    const twice = flow("  a: { type: template, text: x }\n  a: { type: template, text: y }\n");
    expect(await check({ "flows/a.yaml": twice })).toEqual(["flows/a.yaml:6:3 Map keys must be unique"]);
  });

  test.each([
    ["my-node", ["must hold letters, digits and _ only"]],
    ["1st", ["must start with a letter"]],
    ["_1-st", ["must start with a letter", "must hold letters, digits and _ only"]],
    ["n".repeat(65), ["must be at most 64 characters long"]],
  ])("the rules that a node's id %s breaks, and no other", async (id, rules) => {
    const found = await check({ "flows/a.yaml": flow(`  ${id}: { type: template, text: x }\n`) });
    expect(found).toEqual(rules.map((rule) => `flows/a.yaml:5:3 nodes.${id}: ${rule}`));
  });

  test("unknown fields, with what was probably meant", async () => {
    const text = people.replace("plan: pro }\nteams", "plna: pro, plan: pro }\nteams");
    expect(await check({ "wheelhouse.yaml": text })).toEqual([
      'wheelhouse.yaml:2:76 people.0.plna: unknown field "plna" (did you mean "plan"?)',
    ]);
    expect(await check({ "flows/a.yaml": flow("  a: { type: template, txt: x, text: y }\n") })).toEqual([
      'flows/a.yaml:5:24 nodes.a.txt: unknown field "txt" (did you mean "text"?)',
    ]);
  });

  test("missing fields and wrong types", async () => {
    expect(await check({ "flows/a.yaml": flow("  a:\n    type: delay\n") })).toEqual([
      "flows/a.yaml:5:3 nodes.a.seconds: is missing",
    ]);
    expect(await check({ "flows/a.yaml": flow("  a:\n    type: template\n    text: [1]\n") })).toEqual([
      "flows/a.yaml:7:5 nodes.a.text: expected string, received array",
    ]);
    expect(await check({ "flows/a.yaml": flow("  a:\n    type: delay\n    seconds: [1]\n") })).toEqual([
      "flows/a.yaml:7:5 nodes.a.seconds: expected number, received array; or expected string, received array",
    ]);
  });

  test("unknown node types, with what was probably meant", async () => {
    expect(await check({ "flows/a.yaml": flow("  a: { type: inptu }\n") })).toEqual([
      'flows/a.yaml:5:8 nodes.a.type: unknown node type "inptu" (did you mean "input"?)',
    ]);
  });

  test("references to nodes and fields that are not there", async () => {
    const nodes = `  name: { type: input }
  a: { type: template, text: "{{ nmae.value }} {{ name.vlue }} {{ name }}" }
  b: { type: template, text: "{{ unclosed", after: [c] }
  d: { type: condition, branches: [{ name: x, if: "zzz.value > 1" }] }
  e: { type: template, text: x, when: d.y }
  f: { type: template, text: x, when: a.y }
  g: { type: each, items: "{{ name.value }}", do: { type: template, text: "{{ item }} {{ nam.value }}" } }
`;
    expect(await check({ "flows/a.yaml": flow(nodes) })).toEqual([
      'flows/a.yaml:6:24 nodes.a.text: there is no node "nmae" (did you mean "name"?)',
      'flows/a.yaml:6:24 nodes.a.text: "name" has no field "vlue" (did you mean "value"?); it has value',
      'flows/a.yaml:6:24 nodes.a.text: say which field of "name" is meant, such as {{ name.value }}',
      'flows/a.yaml:7:24 nodes.b.text: output "{{ unclosed" not closed',
      'flows/a.yaml:7:53 nodes.b.after.0: there is no node "c"',
      'flows/a.yaml:8:47 nodes.d.branches.0.if: there is no node "zzz"',
      'flows/a.yaml:9:33 nodes.e.when: "d" has no branch "y"',
      'flows/a.yaml:10:33 nodes.f.when: "a" is no condition or approval, so it has no branches',
      'flows/a.yaml:11:69 nodes.g.do.text: there is no node "nam" (did you mean "name"?)',
    ]);
  });

  test("nodes that wait for each other, also for themselves", async () => {
    const nodes = `  a: { type: template, text: "{{ c.value }}" }
  b: { type: template, text: x, after: [a] }
  c: { type: template, text: "{{ b.value }}" }
  d: { type: template, text: "{{ d.value }}" }
`;
    expect(await check({ "flows/a.yaml": flow(nodes) })).toEqual([
      "flows/a.yaml:5:3 nodes.a: these nodes wait for each other: a → c → b → a",
      "flows/a.yaml:8:3 nodes.d: these nodes wait for each other: d → d",
    ]);
  });

  test("names of inputs, outputs and files that are there twice", async () => {
    const nodes = `  a: { type: input }
  b: { type: input, name: A }
  c: { type: output, value: x }
  d: { type: output, name: c, value: x }
  e: { type: file, name: x.txt, content: x }
  f: { type: file, name: x.txt, content: x }
`;
    expect(await check({ "flows/a.yaml": flow(nodes) })).toEqual([
      'flows/a.yaml:6:21 nodes.b.name: "a" is already the input named "A"',
      'flows/a.yaml:8:22 nodes.d.name: "c" is already the output named "c"',
      'flows/a.yaml:10:20 nodes.f.name: "e" is already the file named "x.txt"',
    ]);
  });

  test("ids of files that are there twice or not at all", async () => {
    const nodes = "  s: { type: flow, flow: flow_b }\n  t: { type: agent, agent: agent_x, message: x }\n";
    expect(
      await check({
        "flows/a.yaml": flow(nodes, "id: flow_a\nname: A\nteam: team_habor"),
        "flows/b.yaml": flow("  a: { type: template, text: x }\n", "id: flow_a\nname: B\nowner: user_bob"),
        "flows/c.yml": "x",
        "agents/a.yaml":
          "id: agent_a\nname: A\nowner: user_adda\ntools:\n  - { type: mcp_server, server_id: almanak }\n",
        "mcp.json": '{ "mcpServers": { "almanac": { "command": "node" } } }',
      }),
    ).toEqual([
      'agents/a.yaml:3:1 owner: there is no person "user_adda" (did you mean "user_ada"?)',
      'agents/a.yaml:5:25 tools.0.server_id: there is no MCP server "almanak" (did you mean "almanac"?)',
      'flows/a.yaml:3:1 team: there is no team "team_habor" (did you mean "team_harbor"?)',
      'flows/a.yaml:5:20 nodes.s.flow: there is no flow "flow_b" (did you mean "flow_a"?)',
      'flows/a.yaml:6:21 nodes.t.agent: there is no agent "agent_x" (did you mean "agent_a"?)',
      'flows/b.yaml:1:1 id: "flow_a" is there twice',
      'flows/b.yaml:3:1 owner: there is no person "user_bob"',
      "flows/c.yml:1:1 is not read: name it .yaml",
    ]);
  });

  test("people whom a tool's server is to ask and who are not there", async () => {
    const tool = "type: mcp_tool, server: almanac, tool: t, who: people, people: [user_ada, user_adda]";
    expect(
      await check({
        "flows/a.yaml": flow(`  s: { ${tool} }\n  e: { type: each, items: [1], do: { ${tool} } }\n`),
        "mcp.json": '{ "mcpServers": { "almanac": { "command": "node" } } }',
      }),
    ).toEqual([
      'flows/a.yaml:5:82 nodes.s.people.1: there is no person "user_adda" (did you mean "user_ada"?)',
      'flows/a.yaml:6:112 nodes.e.do.people.1: there is no person "user_adda" (did you mean "user_ada"?)',
    ]);
  });

  test("a member of a team who is there twice, with a role and without", async () => {
    const members = "members: [{ id: user_ada, role: viewer }, user_ada]";
    expect(await check({ "wheelhouse.yaml": people.replace("members: [user_ada]", members) })).toEqual([
      'wheelhouse.yaml:4:91 teams.0.members.1: "user_ada" is there twice',
    ]);
  });

  test("keys that stand in the file, and keys of a plan that has none", async () => {
    const literal = people.replace("plan: pro }\nteams", "plan: pro, key: wh_secret }\nteams");
    const [problem] = await check({ "wheelhouse.yaml": literal });
    expect(problem).toMatch(/^wheelhouse\.yaml:2:\d+ people\.0\.key: must name a variable/);
    expect(problem).not.toContain("wh_secret");
    const free = people.replace("plan: pro }\nteams", "plan: free, key: '$" + "{X_KEY}' }\nteams");
    expect(await check({ "wheelhouse.yaml": free })).toEqual([
      expect.stringContaining("people.0.key: API keys need the plan pro or above"),
    ]);
  });

  test("a file of anchors that would grow without end", async () => {
    const bomb = Array.from(
      { length: 30 },
      (_, i) => `a${i}: &a${i} [${i === 0 ? "x" : `*a${i - 1},*a${i - 1}`}]`,
    );
    expect(await check({ "flows/a.yaml": bomb.join("\n") })).toEqual([
      expect.stringContaining("flows/a.yaml:"),
    ]);
  });
});

test("The command prints each problem on a line and answers 1, or says what is there and answers 0", async () => {
  const lines: string[] = [];
  expect(await runCheck(sample, (line) => lines.push(line))).toBe(0);
  expect(lines.at(-1)).toMatch(/is in order: \d+ flows, \d+ agents$/);
  const directory = join(scratch, "broken");
  cpSync(sample, directory, { recursive: true });
  const hello = join(directory, "flows/hello.yaml");
  writeFileSync(hello, readFileSync(hello, "utf8").replace("{{ name.value }}", "{{ nmae.value }}"));
  expect(await runCheck(directory, (line) => lines.push(line))).toBe(1);
  expect(lines.at(-2)).toMatch(/^flows\/hello\.yaml:\d+:\d+ nodes\.words\.text: there is no node "nmae"/);
  await expect(openWorkspace(directory)).rejects.toMatchObject({ name: "WorkspaceError" });
});

test("A workspace of one flow and one agent is counted as one of each", async () => {
  const directory = join(scratch, `w${made + 1}`);
  expect(
    await check({
      "flows/a.yaml": flow("  in: { type: input }"),
      "agents/a.yaml": "id: agent_a\nname: A\nowner: user_ada",
    }),
  ).toEqual([]);
  const lines: string[] = [];
  expect(await runCheck(directory, (line) => lines.push(line))).toBe(0);
  expect(lines).toEqual([`${directory} is in order: 1 flow, 1 agent`]);
});

test("The JSON Schemas in docs/schema are fresh, and each sample file names its own", () => {
  for (const [name, text] of workspaceSchemas()) {
    expect(readFileSync(join(root, "docs/schema", name), "utf8"), `run: npx tsx scripts/schemas.ts`).toBe(
      text,
    );
  }
  for (const [folder, schema] of [
    ["flows", "flow"],
    ["agents", "agent"],
  ] as const) {
    for (const file of readdirSync(join(sample, folder))) {
      const [first] = readFileSync(join(sample, folder, file), "utf8").split("\n");
      expect(first, file).toBe(`# yaml-language-server: $schema=../../docs/schema/${schema}.json`);
    }
  }
  const source = readFileSync(join(sample, "knowledge/handbook/source.yaml"), "utf8");
  expect(source).toContain("$schema=../../../docs/schema/source.json");
});

test("The documentation's flow is in order, and its table has every type of node", async () => {
  const text = readFileSync(join(root, "docs/workspace.md"), "utf8");
  const example = /```yaml\n(# yaml-language-server[\s\S]*?)```/.exec(text)?.[1] ?? "";
  expect(example).toContain("flow_hello");
  expect(await check({ "flows/a.yaml": example })).toEqual([]);
  const lacking = nodeTypes.filter(({ type }) => !new RegExp(`\\| \`${type}\` +\\|`).test(text));
  expect(
    lacking.map(({ type }) => type),
    "rows that docs/workspace.md does not have",
  ).toEqual([]);
});
