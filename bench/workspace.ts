import { cpSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** A server on this machine that flows of a bench call. */
export interface Sink {
  readonly url: string;
  readonly server: Server;
}

/** Starts a server for `makeWorkspace`. @param answer what it does with a request */
export async function startSink(answer: RequestListener): Promise<Sink> {
  const server = createServer(answer);
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  // A server that listens on a port has an address of that kind.
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, server };
}

/**
 * A copy of the sample workspace with more flows, which may call the sink.
 * @param flows by name, each the YAML of its one node, and the team that it belongs to
 * @returns its folder; a flow's id is `flow_` and its name
 */
export function makeWorkspace(
  { url }: Sink,
  flows: Readonly<Record<string, { readonly node: string; readonly team: string }>>,
): string {
  const folder = mkdtempSync(join(tmpdir(), "wheelhouse-bench-"));
  cpSync(resolve(import.meta.dirname, "../workspace"), folder, { recursive: true });
  for (const [id, { node, team }] of Object.entries(flows)) {
    const nodes = `nodes:\n  work: ${node}\n  out: { type: output, value: "{{ work.value }}" }\n`;
    writeFileSync(
      join(folder, "flows", `${id}.yaml`),
      `id: flow_${id}\nname: ${id}\nteam: ${team}\n${nodes}`,
    );
  }
  const file = join(folder, "wheelhouse.yaml");
  const opened = `allow_private: ["${new URL(url).host}"]`;
  writeFileSync(file, readFileSync(file, "utf8").replace("allow_private: []", opened));
  return folder;
}
