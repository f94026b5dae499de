import { type Answer, jsonAnswer } from "./answer.ts";

/** `/healthz`: the process is alive. @param instance tells this data directory from others, for a second start */
export function health(instance: string): Answer & { readonly body: string } {
  return jsonAnswer(200, JSON.stringify({ status: "ok", service: "wheelhouse", instance, pid: process.pid }));
}

/** @returns the instance that a Wheelhouse on this port names; null when nothing like it answers within five seconds */
export async function askInstance(host: string, port: number): Promise<string | null> {
  const address = host === "0.0.0.0" || host === "::" ? "localhost" : host.includes(":") ? `[${host}]` : host;
  try {
    const answer = await fetch(`http://${address}:${port}/healthz`, { signal: AbortSignal.timeout(5_000) });
    const body: unknown = await answer.json();
    const named = typeof body === "object" && body !== null && "instance" in body ? body.instance : null;
    return typeof named === "string" ? named : null;
  } catch {
    return null;
  }
}
