import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { oidcStartPath } from "../contract/oidc.ts";
import { type IdentityProvider, startIdentityProvider } from "./identity-provider.ts";
import { startService, type TestService, type TestServiceOptions } from "./service.ts";

/** What the tests' file maps. */
export const testGroups = `
    crew: { teams: { team_harbor: viewer } }
    captains: { teams: { team_harbor: editor, team_dock: admin } }
    owners: { role: admin }
    staff: {}`;

const people = `people:
  - { id: user_ada, email: ada@example.com, first_name: Ada, last_name: Sample, plan: pro, role: admin, key: "\${WHEELHOUSE_ADA_KEY}" }
  - { id: user_grace, email: grace@example.com, first_name: Grace, last_name: Sample, plan: pro, key: "\${WHEELHOUSE_GRACE_KEY}" }
teams:
  - { id: team_harbor, name: Harbor, plan: pro, members: [{ id: user_grace, role: operator }] }
  - { id: team_dock, name: Dock, plan: pro, members: [user_ada] }
`;

/** A service whose people sign in with a provider of the test's own. */
export interface OidcService {
  readonly service: TestService;
  readonly provider: IdentityProvider;
  /** Lets so many minutes pass since the provider was asked about a person; missing: about all. */
  letPass(minutes: number, userId?: string): Promise<void>;
  stop(): Promise<void>;
}

/** @param settings more lines of `sign_in`, indented by two */
export async function startOidcService(
  settings = "",
  options: TestServiceOptions = {},
  groups = testGroups,
): Promise<OidcService> {
  const provider = await startIdentityProvider();
  const workspace = mkdtempSync(join(tmpdir(), "wheelhouse-oidc-"));
  writeFileSync(join(workspace, "wheelhouse.yaml"), oidcWorkspace(provider, settings, groups));
  const service = await startService({
    ...{ workspace, work: false, ...options },
    environment: { WHEELHOUSE_OIDC_SECRET: provider.secret, ...options.environment },
  });
  return {
    service,
    provider,
    async letPass(minutes, userId) {
      const { db } = service.context.store;
      const passed = sql`make_interval(mins => ${minutes})`;
      await sql`update oidc_identities set checked_at = checked_at - ${passed},
        check_from = check_from - ${passed}, check_by = check_by - ${passed}
        where ${userId ?? null}::text is null or user_id = ${userId ?? null}`.execute(db);
      // What processes remember ends by the clock, which nobody can turn here.
      await sql`update generation set number = number + 1`.execute(db);
    },
    async stop() {
      await service.stop();
      await provider.close();
      rmSync(workspace, { recursive: true, force: true });
    },
  };
}

/** The text of a wheelhouse.yaml with this provider. */
export function oidcWorkspace(
  { issuer, clientId }: Pick<IdentityProvider, "issuer" | "clientId">,
  settings = "",
  groups = testGroups,
): string {
  return `${people}sign_in:
  name: Acme
  issuer: ${issuer}
  client_id: ${clientId}
  client_secret: \${WHEELHOUSE_OIDC_SECRET}
${settings}  groups:${groups}
`;
}

/** Where a sign-in ended, as its page sees it. */
export interface Ending {
  /** The page that opened, with its query. */
  readonly page: string;
  /** Of whoever got in. */
  readonly accessToken: string | null;
  readonly userId: string | null;
  readonly teams: readonly string[];
  /** Of whoever did not. */
  readonly reason: string | null;
  readonly message: string;
  readonly groups: readonly string[];
}

/** A browser that follows where it is sent, with the cookies of the service alone. */
export class TestBrowser {
  readonly cookies = new Map<string, string>();
  readonly #service: TestService;

  constructor(service: TestService) {
    this.#service = service;
  }

  /** Opens an address of the service. @returns where it leads */
  async open(address: string): Promise<string> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(new URL(address, this.#service.url), {
      redirect: "manual",
      headers: cookie === "" ? {} : { cookie },
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === "") this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return response.headers.get("location") ?? `${response.status}`;
  }

  /** Goes to the provider. @returns the address that it sends the browser back to */
  async toProvider(next?: string): Promise<string> {
    const start = next === undefined ? oidcStartPath : `${oidcStartPath}?${new URLSearchParams({ next })}`;
    const there = await this.open(start);
    if (there.startsWith("/")) return there;
    const response = await fetch(there, { redirect: "manual" });
    return response.headers.get("location") ?? `${response.status}`;
  }

  /** Comes back, and does what the page does with what is in its address. */
  async comeBack(address: string): Promise<Ending> {
    const location = address.startsWith("/") ? address : await this.open(address);
    const [page = "", fragment = ""] = location.split("#");
    const token = decodeURIComponent(fragment.replace("sign-in=", ""));
    const response = await this.#service.call(null, "POST", "/console/sessions", { token });
    const body = await response.json();
    const refused = body.error ?? {};
    return {
      page,
      accessToken: body.access_token ?? null,
      userId: body.user?.id ?? null,
      teams: (body.teams ?? []).map(({ id }: { id: string }) => id),
      reason: refused.details?.reason ?? refused.code ?? null,
      message: refused.message ?? "",
      groups: refused.details?.groups ?? [],
    };
  }

  /** A whole sign-in. */
  async signIn(next?: string): Promise<Ending> {
    return await this.comeBack(await this.toProvider(next));
  }
}
