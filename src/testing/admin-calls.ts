import type { TestService } from "./service.ts";

/** What tests of the administration ask of a service, as its first admin does. */
export function adminCalls(service: () => TestService) {
  async function call(key: string | null, method: string, path: string, body?: unknown) {
    const response = await service().call(key, method, path, body);
    const text = await response.text();
    const json = text === "" ? null : JSON.parse(text);
    const error: string | undefined = json?.error?.code;
    return { status: response.status, json, error };
  }

  let made = 0;
  /** Somebody new, signed in. */
  async function newcomer(more: Record<string, unknown> = {}) {
    made += 1;
    const body = { email: `new${made}@example.com`, first_name: "New", last_name: `Person ${made}`, ...more };
    const { json } = await call(service().keys.ada, "POST", "/admin/people", body);
    const token: string = json.invitation.url.split("#sign-in=")[1];
    const session = await call(null, "POST", "/console/sessions", { token });
    return { id: json.person.id as string, token, secret: session.json.access_token as string, json };
  }

  const teamOf = async (name: string) =>
    (await call(service().keys.ada, "POST", "/admin/teams", { name })).json.team.id as string;

  return { call, newcomer, teamOf };
}
