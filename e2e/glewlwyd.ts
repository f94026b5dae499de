import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../src/testing/free-port.ts";
import { until } from "../src/testing/until.ts";

const program = "/usr/bin/glewlwyd";
const database = "/usr/share/dbconfig-common/data/glewlwyd/install/sqlite3";
const packages = ["glewlwyd", "sqlite3"];

/**
 * Debian's `glewlwyd`, installed now where that may be done.
 * @returns null where it is there, else a sentence that says what is missing
 */
export function obtainGlewlwyd(): string | null {
  const isThere = () => existsSync(program) && existsSync("/usr/bin/sqlite3");
  if (!isThere() && process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    spawnSync("apt-get", ["update"], { stdio: "ignore" });
    spawnSync("apt-get", ["install", "-y", "--no-install-recommends", ...packages], { stdio: "ignore", env });
  }
  return isThere() ? null : `Glewlwyd is not there (Debian: apt-get install ${packages.join(" ")})`;
}

/** Somebody who signs in there. */
export interface Account {
  readonly username: string;
  readonly password: string;
  readonly name: string;
  readonly email: string;
  readonly groups: readonly string[];
}

/** A server of OpenID Connect in C, with a database of its own. */
export interface Glewlwyd {
  readonly issuer: string;
  /** Makes an account, or says what it has from now on. */
  account(account: Account): Promise<void>;
  stop(): Promise<void>;
}

/** @param client of Wheelhouse there, and where Wheelhouse is */
export async function startGlewlwyd(client: {
  readonly id: string;
  readonly secret: string;
  readonly url: string;
}): Promise<Glewlwyd> {
  const folder = mkdtempSync(join(tmpdir(), "wheelhouse-glewlwyd-"));
  const port = await freePort();
  const url = `http://localhost:${port}`;
  spawnSync("/usr/bin/sqlite3", [join(folder, "glewlwyd.db")], { input: readFileSync(database) });
  const web = join(folder, "web");
  // Its pages want their settings beside them; the package leaves those to whoever sets it up.
  const source = "/usr/share/glewlwyd/webapp";
  cpSync(source, web, {
    ...{ recursive: true, dereference: true },
    filter: (path) => path !== join(source, "config.json"),
  });
  cpSync("/usr/share/glewlwyd/templates/config.json", join(web, "config.json"));
  writeFileSync(join(folder, "glewlwyd.conf"), settings(folder, port));
  const child = spawn(program, [`--config-file=${join(folder, "glewlwyd.conf")}`], { stdio: "ignore" });
  const issuer = `${url}/api/oidc`;
  try {
    await until("Glewlwyd answers", async () => {
      if (child.exitCode !== null) throw new Error(`Glewlwyd ended with ${child.exitCode}`);
      return (await fetch(`${url}/config`).catch(() => null))?.ok === true;
    });
    const admin = await signInAsAdmin(url);
    await setUp(admin, issuer, client);
    return {
      issuer,
      async account({ username, ...rest }) {
        const there = await admin("GET", `/user/${username}`);
        const body = { username, ...rest, enabled: true, scope: ["openid", "g_profile"] };
        await (there.ok ? admin("PUT", `/user/${username}`, body) : admin("POST", "/user/", body));
      },
      stop: () => stop(child, folder),
    };
  } catch (error) {
    await stop(child, folder);
    throw error;
  }
}

async function stop(child: ChildProcess, folder: string): Promise<void> {
  if (child.exitCode === null) {
    const ended = once(child, "exit");
    child.kill();
    await ended;
  }
  rmSync(folder, { recursive: true, force: true });
}

type Admin = (method: string, path: string, body?: unknown) => Promise<Response>;

/** With the account that a fresh database has. */
async function signInAsAdmin(url: string): Promise<Admin> {
  let cookie = "";
  const admin: Admin = async (method, path, body) => {
    const answer = await fetch(`${url}/api${path}`, {
      method,
      headers: { cookie, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok && method !== "GET")
      throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    const set = answer.headers.getSetCookie();
    if (set.length > 0) cookie = set.map((line) => line.split(";")[0]).join("; ");
    return answer;
  };
  await admin("POST", "/auth/", { username: "admin", password: "password" });
  return admin;
}

/** Groups as a property of accounts, the protocol with the claims that are asked for, and Wheelhouse as a client. */
async function setUp(admin: Admin, issuer: string, client: { id: string; secret: string; url: string }) {
  const users = await (await admin("GET", "/mod/user/database")).json();
  users.parameters["data-format"].groups = { multiple: true, read: true, write: true };
  await admin("PUT", "/mod/user/database", users);
  await admin("PUT", "/mod/user/database/reset");
  // Where to come back to it looks for under a name that it has to be told to keep.
  const clients = await (await admin("GET", "/mod/client/database")).json();
  clients.parameters["data-format"].post_logout_redirect_uris = { multiple: true, read: true, write: true };
  await admin("PUT", "/mod/client/database", clients);
  await admin("PUT", "/mod/client/database/reset");
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
  await admin("POST", "/mod/plugin/", {
    ...{ module: "oidc", name: "oidc", display_name: "OpenID Connect" },
    parameters: {
      iss: issuer,
      "jwt-type": "rsa",
      "jwt-key-size": "256",
      key: privateKey.export({ type: "pkcs8", format: "pem" }),
      cert: publicKey.export({ type: "spki", format: "pem" }),
      "access-token-duration": 3_600,
      "refresh-token-duration": 86_400,
      "code-duration": 600,
      "refresh-token-rolling": true,
      "allow-non-oidc": false,
      "auth-type-code-enabled": true,
      "auth-type-token-enabled": false,
      "auth-type-implicit-enabled": false,
      "auth-type-id-token-enabled": true,
      "auth-type-none-enabled": false,
      "auth-type-password-enabled": false,
      "auth-type-client-enabled": false,
      "auth-type-device-enabled": false,
      "auth-type-refresh-enabled": true,
      "pkce-allowed": true,
      "pkce-method-plain-allowed": false,
      "pkce-required": true,
      "subject-type": "public",
      "name-claim": "mandatory",
      "email-claim": "mandatory",
      "scope-claim": "no",
      claims: [
        {
          name: "groups",
          "user-property": "groups",
          type: "string",
          mandatory: true,
          "on-demand": false,
          scope: [],
        },
      ],
      "address-claim": { type: "no" },
      "jwks-show": true,
      "session-management-allowed": true,
      "session-cookie-name": "GLEWLWYD2_OIDC_SID",
      "session-cookie-expiration": 86_400,
      "allowed-scope": ["openid"],
    },
  });
  await admin("POST", "/client/", {
    client_id: client.id,
    name: "Wheelhouse",
    confidential: true,
    client_secret: client.secret,
    enabled: true,
    redirect_uri: [`${client.url}/oidc/callback`],
    authorization_type: ["code", "refresh_token"],
    token_endpoint_auth_method: ["client_secret_basic"],
    post_logout_redirect_uris: [`${client.url}/sign-in`],
  });
}

const settings = (folder: string, port: number) => `port=${port}
bind_address="127.0.0.1"
external_url="http://localhost:${port}"
login_url="login.html"
api_prefix="api"
static_files_path="${join(folder, "web")}"
static_files_mime_types = (
  { extension = ".html" mime_type = "text/html" },
  { extension = ".css" mime_type = "text/css" },
  { extension = ".js" mime_type = "application/javascript" },
  { extension = ".json" mime_type = "application/json" }
)
log_mode="file"
log_level="WARNING"
log_file="${join(folder, "glewlwyd.log")}"
cookie_secure=0
session_expiration=86400
session_key="GLEWLWYD2_SESSION_ID"
admin_session_authentication="cookie"
profile_session_authentication="cookie"
login_api_enabled=true
admin_scope="g_admin"
profile_scope="g_profile"
user_module_path="/usr/lib/glewlwyd/user"
client_module_path="/usr/lib/glewlwyd/client"
user_auth_scheme_module_path="/usr/lib/glewlwyd/scheme"
plugin_module_path="/usr/lib/glewlwyd/plugin"
hash_algorithm = "SHA512"
database = { type = "sqlite3" path = "${join(folder, "glewlwyd.db")}" }
`;
