import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Browser } from "@playwright/test";
import { artifactsOf, writeFiles } from "../../e2e/artifacts.ts";
import { signInByKey } from "../../e2e/console.ts";
import { runEnds, startRun } from "../../e2e/runs.ts";
import { keys, Service } from "../../e2e/service.ts";

/** What the routes of the bench show: ids of things that are really there. */
export interface Ids {
  readonly run: string;
  readonly otherRun: string;
  readonly conversation: string;
  readonly artifact: string;
  /** The path that a stranger was given. */
  readonly shared: string;
}

/** A service with enough in it that every list has rows and every object its parts. */
export interface Sample {
  readonly service: Service;
  readonly ids: Ids;
  /** What the sign-in left in the tab's storage. */
  readonly stored: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

const root = resolve(import.meta.dirname, "../..");

/** A run of a few hundred lines, as one that somebody opens to read. */
const wordyFlow = `id: flow_wordy
name: Count the berths
team: team_harbor
nodes:
  from:
    type: input
    default: "1"
  count:
    type: code
    inputs:
      from: "{{ from.value }}"
    source: |
      for (let berth = Number(inputs.from); berth < 300; berth += 1) console.log(\`berth \${berth}: \${berth % 7 ? "taken" : "free"}\`);
      return { free: 42 };
  free:
    type: output
    value: "{{ count.value.free }}"
`;

/** Starts the service on the sample workspace and fills it through its own interface; signs in once. */
export async function startSample(browser: Browser): Promise<Sample> {
  const workspace = mkdtempSync(join(tmpdir(), "wheelhouse-bench-workspace-"));
  cpSync(join(root, "workspace"), workspace, { recursive: true });
  writeFileSync(join(workspace, "flows/wordy.yaml"), wordyFlow);
  const service = await Service.start({ flags: ["--workspace", workspace] });
  const stop = async () => {
    await service.stop();
    rmSync(workspace, { recursive: true, force: true });
  };
  try {
    const ids = await fill(service);
    return { service, ids, stored: await signIn(browser, service), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function fill(service: Service): Promise<Ids> {
  const numbers = Array.from({ length: 24 }, (_, at) => String(at + 1));
  const runs = await Promise.all(numbers.map((from) => startRun(service, "flow_wordy", { from })));
  const broken = await startRun(service, "flow_broken");
  for (const id of [...runs, broken]) await runEnds(service, id);
  const files = numbers.map((n) => ({
    name: `berth-${n}.md`,
    content: `# Berth ${n}\n\nFree **until** Monday.\n\n- rope\n- fender\n`,
  }));
  const conversation = await writeFiles(service, files.slice(0, 4));
  for (const from of [4, 8, 12, 16, 20]) await writeFiles(service, files.slice(from, from + 4), conversation);
  const artifact = (await artifactsOf(service, conversation)).get("berth-1.md")?.id;
  const [otherRun, run] = runs;
  if (artifact === undefined || run === undefined || otherRun === undefined)
    throw new Error("The sample service did not make what it was asked for");
  return { run, otherRun, conversation, artifact, shared: await share(service, artifact) };
}

async function share(service: Service, artifact: string): Promise<string> {
  const answer = await fetch(`${service.url}/api/v1/artifacts/${artifact}/access`, {
    method: "PUT",
    headers: {
      authorization: `Bearer ${keys.ada}`,
      "x-auth-key": "user_ada",
      "content-type": "application/json",
    },
    body: JSON.stringify({ link: { mode: "anyone" } }),
  });
  const { access }: { access: { link_url: string } } = await answer.json();
  return new URL(access.link_url).pathname;
}

async function signIn(browser: Browser, service: Service): Promise<Record<string, string>> {
  const page = await browser.newPage();
  await signInByKey(page, { at: service.url });
  const stored: Record<string, string> = await page.evaluate(() => ({ ...sessionStorage }));
  await page.close();
  return stored;
}
