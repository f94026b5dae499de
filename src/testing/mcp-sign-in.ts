import type { AgentService, KeyName } from "./agents.ts";

/** A browser that follows where it is sent, with the cookies of the service alone. */
export class SignInBrowser {
  readonly #cookies = new Map<string, string>();
  readonly #app: AgentService;

  constructor(app: AgentService) {
    this.#app = app;
  }

  async post(key: KeyName | null, path: string, body: unknown) {
    const headers = new Headers({ "content-type": "application/json" });
    if (key !== null) headers.set("authorization", `Bearer ${this.#app.keys[key]}`);
    const response = await fetch(this.#app.service.url + path, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    this.#take(response);
    const answer: unknown = await response.json();
    return { status: response.status, body: answer as Record<string, never>, response };
  }

  /** Where the server's sign-in sends the browser back to. */
  async consent(authorizationUrl: string): Promise<string> {
    const response = await fetch(authorizationUrl, { redirect: "manual" });
    return response.headers.get("location") ?? `no way back: ${response.status}`;
  }

  async open(url: string) {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(url, { redirect: "manual", headers: { cookie } });
    return {
      status: response.status,
      location: response.headers.get("location"),
      text: await response.text(),
    };
  }

  #take(response: Response): void {
    for (const line of response.headers.getSetCookie()) {
      const [name, value] = line.split(";")[0]?.split("=") ?? [];
      if (name && value) this.#cookies.set(name, value);
    }
  }
}
