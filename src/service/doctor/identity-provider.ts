import { z } from "zod";
import type { Config } from "../config.ts";
import { parseJson } from "../json.ts";
import { issuerHost, type SignInSettings, secretVariableOf } from "../oidc/settings.ts";
import { createOutgoing, type Outgoing } from "../outgoing/outgoing.ts";
import { sentenceOf } from "../store/store-error.ts";
import { readWorkspace } from "../workspace/read-workspace.ts";
import { type Finding, ok, problem, warning } from "./finding.ts";

/** For each answer of the provider, in milliseconds. */
const answerMs = 8_000;
/** Seconds by which its clock may be wrong before sign-ins fail, */
const mostSkew = 300;
/** and from which on that is worth a look. */
const noticedSkew = 60;

const check = "sign_in";
const metadata = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
  code_challenge_methods_supported: z.array(z.string()).optional(),
});
const keySet = z.object({ keys: z.array(z.unknown()).min(1) });

/**
 * Whether the organisation's identity provider answers with metadata and keys that fit, and its clock agrees with this
 * machine's. Nobody is signed in.
 * @param now of this machine's clock, in milliseconds since 1970
 * @returns none where the workspace names no provider, or cannot be read: that is said of the workspace
 */
export async function examineIdentityProvider(
  { workspaceDirectory, environment }: Pick<Config, "workspaceDirectory" | "environment">,
  now = Date.now(),
): Promise<readonly Finding[]> {
  const { workspace } = await readWorkspace(workspaceDirectory);
  const settings = workspace?.settings.sign_in;
  if (workspace == null || settings === undefined) return [];
  const allowed = [...workspace.settings.allow_private, issuerHost(settings)];
  const outgoing = createOutgoing({ allowPrivate: allowed });
  const findings = examineSecret(settings, environment);
  try {
    return [...findings, ...(await examineAnswers(settings, outgoing, now))];
  } catch (error) {
    const found = `${settings.name} at ${settings.issuer} cannot be reached: ${sentenceOf(error)}`;
    return [
      ...findings,
      problem(check, found, "Look at sign_in.issuer, DNS, and the way from here to there"),
    ];
  } finally {
    await outgoing.close();
  }
}

function examineSecret(settings: SignInSettings, environment: Config["environment"]): readonly Finding[] {
  const variable = secretVariableOf(settings);
  if (variable === null || environment[variable]) return [];
  return [problem(check, `The variable ${variable} is not set`, "Set it to the client's secret")];
}

async function examineAnswers(
  settings: SignInSettings,
  outgoing: Outgoing,
  now: number,
): Promise<readonly Finding[]> {
  const { name, issuer } = settings;
  const ask = (url: string) =>
    outgoing.request({
      ...{ url, method: "GET", headers: { accept: "application/json" }, body: null },
      signal: AbortSignal.timeout(answerMs),
    });
  const address = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
  const answer = await ask(address);
  if (answer.status !== 200)
    return [problem(check, `${address} answers ${answer.status}`, "Look at sign_in.issuer")];
  const read = metadata.safeParse(parseJson(answer.text));
  if (!read.success)
    return [problem(check, `${address} has no metadata of OpenID Connect`, "Look at sign_in.issuer")];
  const { issuer: named, jwks_uri: keys, code_challenge_methods_supported: methods } = read.data;
  if (named !== issuer)
    return [
      problem(check, `${name} calls itself ${named}`, `Set sign_in.issuer to ${named}, if that is right`),
    ];
  const { status, text } = await ask(keys);
  if (status !== 200 || !keySet.safeParse(parseJson(text)).success)
    return [problem(check, `${name} shows no keys at ${keys}`, `Ask whoever looks after ${name}`)];
  const found = [ok(check, `${name} at ${issuer} answers with its metadata and keys`)];
  const { date } = answer.headers;
  const skew = skewOf(typeof date === "string" ? date : "", now);
  if (Math.abs(skew) >= noticedSkew) {
    const words = `The clock of ${name} is ${Math.abs(skew)} s ${skew > 0 ? "ahead of" : "behind"} this machine's`;
    const say = Math.abs(skew) > mostSkew ? problem : warning;
    found.push(say(`${check}.clock`, words, "Set both clocks by NTP: from five minutes on sign-ins fail"));
  }
  if (methods !== undefined && !methods.includes("S256"))
    found.push(
      warning(`${check}.pkce`, `${name} does not name PKCE with S256`, `Ask whoever looks after ${name}`),
    );
  return found;
}

/** Seconds by which a clock is ahead; 0 where it does not say. */
function skewOf(date: string, now: number): number {
  const time = Date.parse(date);
  return Number.isNaN(time) ? 0 : Math.round((time - now) / 1_000);
}
