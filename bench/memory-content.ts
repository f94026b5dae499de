import type { Service } from "../e2e/service.ts";
import { textLimits } from "../src/contract/limits.ts";
import { logWrite } from "../src/service/store/log-rows.ts";
import type { Store } from "../src/service/store/store.ts";
import { hostilePdfs } from "../src/testing/hostile-pdf.ts";

/** What the attacks ask for, each as large as a client can make it or larger. */
export const large = {
  /** A run with a log of 60 MB. */
  log: "/api/v1/get_pl_run?run_id=run_large&user_id=user_ada",
  /** A conversation of 60 MB, to the console and to a program. */
  session: "/api/v1/sessions/talk_large",
  status: "/api/v1/agent_status/talk_large?user_id=user_ada",
  /** A hundred agents of the largest size, as one list and as a page. */
  agents: "/api/v1/agents",
  agentsPage: "/api/v1/agents?page_size=100",
} as const;

const sentence = "Read page of the catalogue, found nothing new, and went on to the next one of them ";

/** Rows as the service writes them, in the database of one that has loaded the sample workspace. */
export async function addRows(store: Store): Promise<void> {
  await addLog(store);
  await addConversation(store);
}

async function addLog({ pool }: Store): Promise<void> {
  const text = sentence.repeat(12);
  const lines = Array.from({ length: 60_000 }, (_, at) => `2026-11-20T08:15:04.123Z [read] ${at} ${text}`);
  const { count, bytes, rows } = logWrite(lines);
  await pool.query(
    `insert into executions (id, kind, root_id, depth, subject_id, user_id, state, input, result, log_count, log_bytes, started_at, finished_at)
     values ('run_large', 'pipeline', 'run_large', 0, 'flow_hello', 'user_ada', 'done', '{}', 'null', $1, $2, now(), now())`,
    [count, bytes],
  );
  await pool.query("insert into log_lines select 'run_large', * from unnest($1::int[], $2::text[])", [
    rows.map(({ last }) => last),
    rows.map(({ text }) => text),
  ]);
}

async function addConversation({ pool }: Store): Promise<void> {
  const content = sentence.repeat(Math.floor(textLimits.message / sentence.length));
  await pool.query(
    `insert into interactions (id, agent_id, user_id, type, state, name, turn, execution_id)
     values ('talk_large', 'agent_scribe', 'user_ada', 'api', 'completed', 'Large', 150, 'turn_of_nobody')`,
  );
  await pool.query(
    `insert into messages (interaction_id, seq, id, role, content)
     select 'talk_large', seq, 'talk_large_' || seq, case seq % 2 when 1 then 'user' else 'assistant' end, seq || ' ' || $1
       from generate_series(1, 300) seq`,
    [content],
  );
}

/** Asks, and fails where it is refused. */
async function post<T>(service: Service, path: string, body: unknown): Promise<T> {
  const answer = await service.request("POST", path, body);
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}

/**
 * A hundred agents, each with as much in each of its fields as the interface takes.
 * @returns how many bytes the list of them has at least
 */
export async function addAgents(service: Service): Promise<number> {
  const fill = (characters: number) => sentence.repeat(Math.floor(characters / sentence.length));
  const agent = {
    ...{ name: "Large", model_name: "builtin/offline", description: fill(textLimits.description) },
    ...{ system_prompt: fill(textLimits.systemPrompt), metadata: { notes: fill(textLimits.section - 100) } },
  };
  for (let at = 0; at < 100; at++) await post(service, "/agents", agent);
  return 100 * JSON.stringify(agent).length;
}

/** A run with nine million characters of inputs, and as many in two of its values, when it has ended. @returns its id */
export async function addInputs(service: Service): Promise<string> {
  const path = "/start_pipeline?user_id=user_ada&saved_item_id=flow_hello";
  const { run_id: id } = await post<{ run_id: string }>(service, path, { name: "x".repeat(9_000_000) });
  const { state } = await ended(service, id);
  if (state !== "DONE") throw new Error(`the run with large inputs is ${state}`);
  return id;
}

const sorts =
  "{% for i in (1..15) %}{% assign list = (1..20000) | reverse | sort | join: ',' | split: ',' %}{% endfor %}";
const loops =
  "{% for i in (1..100000) %}{% for j in (1..100) %}{% assign k = j | times: 2 | plus: 1 %}{% endfor %}{% endfor %}";
/** A node of a flow that sorts, joins and splits as much as it may, and loops for as long as it may. */
export const endlessTemplate = `{ type: template, text: "${sorts}${loops}" }`;

/** Starts runs of it and waits until each has been ended for its time. */
export async function runTemplates(service: Service, runs: number): Promise<void> {
  const path = "/start_pipeline?user_id=user_ada&saved_item_id=flow_endless";
  const started = await Promise.all(
    Array.from({ length: runs }, () => post<{ run_id: string }>(service, path, {})),
  );
  for (const { run_id: id } of started) {
    const { state, error } = await ended(service, id);
    if (state !== "FAILED" || !error?.includes("longer than 3 s"))
      throw new Error(`a run of endless templates is ${state}: ${error}`);
  }
}

/** How a run ended. */
async function ended(service: Service, id: string): Promise<{ state: string; error: string | null }> {
  for (;;) {
    const run: { state: string; error: string | null } = await (
      await service.request("GET", `/runs/${id}`)
    ).json();
    if (run.state !== "STARTED" && run.state !== "RUNNING") return run;
    await new Promise((wake) => setTimeout(wake, 100));
  }
}

/** Draft sources, one of a person and one of a team, in which what is added is read for its estimate. @returns their ids */
export async function addSources(service: Service): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const owner of [{ scope: "personal" }, { scope: "team", team_id: "team_harbor" }]) {
    const body = { name: "Documents made to hurt", require_approval: true, ...owner };
    ids.push((await post<{ source: { id: string } }>(service, "/brain/sources", body)).source.id);
  }
  return ids;
}

/** Sends documents made to hurt to each source, new ones each time, and waits until each has been read or given up. */
export async function readDocuments(service: Service, sources: readonly string[]): Promise<void> {
  const made = [hostilePdfs.packedTwice(400), hostilePdfs.longString(10), hostilePdfs.nesting(10)];
  for (const id of sources) {
    const files = made.map((pdf, at) => ({
      file_name: `hostile ${at}.pdf`,
      // What stands behind the end of a PDF is not read, and makes a new file of it.
      file_content: Buffer.concat([pdf, Buffer.from(`%${performance.now()}\n`)]).toString("base64"),
    }));
    await post(service, `/brain/sources/${id}/files`, { files });
  }
  for (const id of sources) {
    for (;;) {
      const { estimate } = await (await service.request("GET", `/brain/sources/${id}/estimate`)).json();
      if (estimate !== null && estimate.status !== "running") break;
      await new Promise((wake) => setTimeout(wake, 200));
    }
  }
}
