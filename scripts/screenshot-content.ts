import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { artifactsOf, writeFiles } from "../e2e/artifacts.ts";
import { sendMessage, turnEnds } from "../e2e/conversations.ts";
import { readRun, runEnds, startRun } from "../e2e/runs.ts";
import { keys, type Service } from "../e2e/service.ts";

const root = resolve(import.meta.dirname, "..");

/** The sample workspace with real MCP servers beside its own. @returns the folder */
export function workspaceOfPictures(): string {
  const folder = mkdtempSync(join(tmpdir(), "wheelhouse-pictures-"));
  chmodSync(folder, 0o755);
  cpSync(join(root, "workspace"), folder, { recursive: true });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  mkdirSync(join(folder, "shelf"));
  const server = (name: string, description: string, packageName: string, ...args: string[]) => ({
    name,
    description,
    command: "node",
    args: [join(root, `node_modules/@modelcontextprotocol/${packageName}/dist/index.js`), ...args],
  });
  const file = join(folder, "mcp.json");
  const { mcpServers } = JSON.parse(readFileSync(file, "utf8")) as { mcpServers: object };
  const more = {
    shelf: server(
      "Shelf",
      "Files of one folder of this machine.",
      "server-filesystem",
      join(folder, "shelf"),
    ),
    memory: server("Memory", "Remembers who is what to whom.", "server-memory"),
    drive: {
      name: "Harbor Drive",
      description: "Where the office keeps its papers. Everybody signs in for themselves.",
      url: "https://drive.harbor.example/mcp",
    },
  };
  writeFileSync(file, JSON.stringify({ mcpServers: { ...mcpServers, ...more } }));
  return folder;
}

async function send(service: Service, method: string, path: string, body?: unknown): Promise<unknown> {
  const answer = await fetch(`${service.url}/api/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${keys.ada}`,
      "x-auth-key": "user_ada",
      "content-type": "application/json",
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

const port = (text: string) => `name,port,tons\n${text}\n`;

/** Runs of all kinds, so that the list and its strip have something to say. @returns the run to show */
async function runs(service: Service): Promise<string> {
  const hellos = ["Ada", "Grace", "Marguerite", "Radia", "Barbara", "Hedy", "Katherine", "Joan"];
  await Promise.all(
    hellos.map(async (name) => runEnds(service, await startRun(service, "flow_hello", { name }))),
  );
  for (const [flow, body] of [
    ["flow_report", {}],
    ["flow_csv_summary", { csv: port("Aurora,Bergen,120\nBorealis,Oslo,95.5") }],
    ["flow_broken", {}],
    ["flow_webhook", { order: 4711, items: ["rope", "paint"] }],
    ["flow_meeting_tasks", { notes: "- Ada: call the yard by 2026-12-04\nTODO send the offer" }],
    ["flow_broken", {}],
  ] as const)
    await runEnds(service, await startRun(service, flow, body));
  const moving = await startRun(service, "flow_long");
  await runEnds(service, await startRun(service, "flow_nest"));
  const rows = [
    "Aurora,Bergen,120",
    "Borealis,Oslo,95.5",
    "Aurora,Bergen,120",
    "Calypso,Bergen,",
    "Dione,Hamburg,310",
  ];
  const shown = await startRun(service, "flow_csv_summary", { csv: port(rows.join("\n")) });
  await runEnds(service, shown);
  while ((await readRun(service, moving)).log.length < 25) await new Promise((wake) => setTimeout(wake, 500));
  return shown;
}

/** The clerk's conversations, each graded by code. @returns the one to show */
async function conversations(service: Service): Promise<string> {
  await send(service, "PATCH", "/agents/agent_clerk/evaluation-config", {
    enabled: true,
    frequency: "per_turn",
    criteria: [
      {
        name: "Promises nothing",
        type: "prohibited_words",
        prompt: "guarantee, for sure",
        priority: "needs_attention",
      },
      {
        name: "No dates on a weekend",
        type: "prohibited_words",
        prompt: "Saturday, Sunday",
        priority: "needs_review",
      },
    ],
  });
  const days = Array.from({ length: 26 }, (_, at) => `2026-12-${String(at + 1).padStart(2, "0")}`);
  for (const day of days)
    await turnEnds(
      service,
      await sendMessage(service, "agent_clerk", `/almanac__day_of_week {"date": "${day}"}`),
    );
  const shown = await sendMessage(
    service,
    "agent_clerk",
    ["When does the crane come?", '/almanac__days_between {"from": "2026-11-20", "to": "2026-12-24"}'].join(
      "\n",
    ),
  );
  await turnEnds(service, shown);
  const tide =
    "# Berths before Christmas\n\n| Berth | Ship | Nights |\n| --- | --- | --- |\n| A1 | Aurora | 3 |\n| A2 | Borealis | 5 |\n";
  await sendMessage(
    service,
    "agent_clerk",
    [
      '/almanac__day_of_week {"date": "2026-12-24"}',
      '/almanac__day_of_week {"date": "yesterday"}',
      `/write_file ${JSON.stringify({ name: "berths.md", content: tide })}`,
    ].join("\n"),
    shown,
  );
  await turnEnds(service, shown);
  return shown;
}

/** A report in two versions. @returns the artifact to show */
async function artifacts(service: Service): Promise<string> {
  const report = (tons: string) =>
    `# Cargo of the week\n\nBergen took the most; **Hamburg** is late.\n\n| Port | Ships | Tons |\n| --- | ---: | ---: |\n| Bergen | 3 | ${tons} |\n| Oslo | 1 | 95.5 |\n| Hamburg | 1 | 310 |\n\n- [x] Mooring lines checked\n- [ ] Send the offer to the yard\n`;
  const name = "cargo-week-47.md";
  const talk = await writeFiles(service, [{ name, content: report("240") }]);
  await writeFiles(service, [{ name, content: report("245.5") }], talk);
  const id = (await artifactsOf(service, talk)).get(name)?.id;
  if (id === undefined) throw new Error(`No artifact ${name}`);
  await send(service, "PUT", `/artifacts/${id}/access`, {
    share: [
      { type: "person", email: "grace@example.com", role: "editor" },
      { type: "team", team_id: "team_harbor", role: "viewer" },
    ],
    link: { mode: "anyone", role: "viewer" },
  });
  return id;
}

/** A source that waits with its files. @returns its id */
async function knowledge(service: Service): Promise<string> {
  const made = (await send(service, "POST", "/brain/sources", {
    name: "Tariffs and rules",
    scope: "team",
    team_id: "team_harbor",
    require_approval: true,
  })) as { source: { id: string } };
  const { id } = made.source;
  const text = (words: string, times: number) => Buffer.from(`${words}\n\n`.repeat(times)).toString("base64");
  await send(service, "POST", `/brain/sources/${id}/files`, {
    files: [
      {
        file_name: "tariffs-2026.md",
        file_content: text("The demurrage of reefer plugs is forty crowns an hour.", 900),
      },
      {
        file_name: "berthing-rules.md",
        file_content: text("A ship of any flag gives notice two days before.", 1400),
      },
      {
        file_name: "winter-storage.html",
        file_content: text("<h1>Winter</h1><p>The crane lifts on Thursdays.</p>", 300),
      },
      { file_name: "empty.pdf", file_content: text("this is no PDF", 1) },
    ],
  });
  for (;;) {
    const { source } = (await send(service, "GET", `/brain/sources/${id}`)) as {
      source: { estimated_credits: number | null; files: { status: string }[] };
    };
    if (source.files.every(({ status }) => status !== "estimating")) return id;
    await new Promise((wake) => setTimeout(wake, 200));
  }
}

/** Fills a service with what the pictures show: everything has really been done by it. @returns what to open */
export async function fillForPictures(service: Service) {
  const run = await runs(service);
  for (const id of ["almanac", "shelf", "memory"]) await send(service, "GET", `/mcp/servers/${id}/tools`);
  const source = await knowledge(service);
  const artifact = await artifacts(service);
  return { run, source, artifact, conversation: await conversations(service) };
}
