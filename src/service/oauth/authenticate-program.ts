import { hashSecret, sameHash } from "../credentials/key.ts";
import { OauthError } from "./oauth-error.ts";
import type { Program, Programs } from "./programs.ts";

const refused = () => new OauthError("invalid_client", "The program is not known, or its secret is wrong.");

/**
 * Which program asks (RFC 6749 §2.3): by its id alone, or with its secret in the form or the header. One that has a secret must
 * bring it, and one that has none must not.
 * @param authorization the header; null without one
 * @throws OauthError `invalid_client`, or `invalid_request` where it says who it is in two ways
 */
export async function authenticateProgram(
  programs: Programs,
  form: URLSearchParams,
  authorization: string | null,
): Promise<Program> {
  const basic = authorization === null ? null : readBasic(authorization);
  if (basic !== null && form.has("client_secret"))
    throw new OauthError("invalid_request", "The program's secret is sent in two places: send it in one.");
  const id = basic?.id ?? form.get("client_id");
  if (id === null) throw new OauthError("invalid_client", "client_id is needed.");
  if (basic !== null && form.has("client_id") && form.get("client_id") !== id)
    throw new OauthError("invalid_request", "The header and client_id name two programs.");
  const program = await programs.known(id);
  if (program === null) throw refused();
  const secret = basic?.secret ?? form.get("client_secret");
  if (program.secret_hash === null) {
    if (secret !== null && secret !== "") throw refused();
    return program;
  }
  if (secret === null || !sameHash(hashSecret(secret), program.secret_hash)) throw refused();
  return program;
}

function readBasic(authorization: string): { readonly id: string; readonly secret: string } {
  const [, encoded = ""] = /^Basic +([\w+/=-]+)$/i.exec(authorization) ?? [];
  const text = Buffer.from(encoded, "base64").toString("utf8");
  const colon = text.indexOf(":");
  if (colon === -1) throw refused();
  try {
    const decoded = (part: string) => decodeURIComponent(part.replaceAll("+", " "));
    return { id: decoded(text.slice(0, colon)), secret: decoded(text.slice(colon + 1)) };
  } catch {
    throw refused();
  }
}
