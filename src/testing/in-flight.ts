import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

/** What flows and agents of a test call: what they call below `/held` is answered once it is let go, and `/flaky` with an error. */
export interface Outside {
  readonly port: number;
  /** The paths that were called, in their order. */
  readonly calls: string[];
  letGo(): void;
  close(): void;
}

export async function openOutside(): Promise<Outside> {
  const calls: string[] = [];
  const held = new Set<ServerResponse>();
  let isLetGo = false;
  const server = createServer(({ url = "" }, response) => {
    calls.push(url);
    if (url.startsWith("/held") && !isLetGo) {
      held.add(response);
      return;
    }
    response.writeHead(url.startsWith("/flaky") && !isLetGo ? 503 : 200).end("ok");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    ...{ port, calls },
    letGo() {
      isLetGo = true;
      for (const response of held) response.end("ok");
      held.clear();
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** For how long a run of `flow_timed` waits, in seconds. */
const timedSeconds = 20;

/** Writes a workspace whose runs and turns wait for everything that there is to wait for. Its person has `WHEELHOUSE_ADA_KEY`. */
export function writeInFlightWorkspace(folder: string, { port }: Outside): void {
  const call = (path: string) => `type: http, url: "http://localhost:${port}${path}/{{ n.value }}"`;
  const flow = (id: string, nodes: string) =>
    `id: ${id}\nname: ${id}\nowner: user_ada\nnodes:\n  n: { type: input }\n${nodes}`;
  const files = {
    "wheelhouse.yaml": `
people:
  - { id: user_ada, email: ada@example.com, first_name: Ada, last_name: Test, plan: pro, key: "\${WHEELHOUSE_ADA_KEY}" }
teams: []
allow_private: ["localhost:${port}"]
`,
    "agents/asks.yaml": `
id: agent_asks
name: Asks
owner: user_ada
tools: [{ type: write_file }, { type: http_get }]
metadata: { approvals: { tools: { write_file: ask } } }
`,
    "flows/held.yaml": flow(
      "flow_held",
      `  first: { ${call("/first")} }
  held: { ${call("/held")}, after: [first] }
  last: { ${call("/last")}, after: [held] }
`,
    ),
    "flows/people.yaml": flow(
      "flow_people",
      `  first: { ${call("/first")} }
  ask: { type: approval, question: "Go?", after: [first] }
  last: { ${call("/last")}, when: ask.approved }
`,
    ),
    "flows/nest.yaml": flow(
      "flow_nest",
      `  below: { type: flow, flow: flow_people, inputs: { n: "{{ n.value }}-below" } }
  many: { type: each, items: [1, 2], do: { type: approval, question: "And {{ item }}?" } }
  last: { ${call("/last")}, after: [below, many] }
`,
    ),
    "flows/timed.yaml": flow(
      "flow_timed",
      `  first: { ${call("/first")} }
  wait: { type: delay, seconds: ${timedSeconds}, after: [first] }
  last: { ${call("/last")}, after: [wait] }
`,
    ),
    "flows/flaky.yaml": flow(
      "flow_flaky",
      `  flaky: { ${call("/flaky")}, retries: { times: 5, delay_s: 20 } }
  last: { ${call("/last")}, after: [flaky] }
`,
    ),
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, ".."), { recursive: true });
    writeFileSync(join(folder, name), text.trimStart());
  }
}
