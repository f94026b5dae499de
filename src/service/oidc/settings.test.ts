import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { oidcWorkspace } from "../../testing/oidc.ts";
import { problemLine } from "../workspace/problem.ts";
import { readWorkspace } from "../workspace/read-workspace.ts";

const folder = mkdtempSync(join(tmpdir(), "wheelhouse-settings-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const provider = { issuer: "https://id.example.com/realms/acme", clientId: "wheelhouse" };

/** The file as it is right, with one text replaced. @returns what is said of it, without file and place */
async function said(from: string, to: string): Promise<string[]> {
  const text = oidcWorkspace(provider, "  trust_email: false\n");
  if (!text.includes(from)) throw new Error(`the file does not hold ${from}`);
  writeFileSync(
    join(folder, "wheelhouse.yaml"),
    text.replace(from, () => to),
  );
  return (await readWorkspace(folder)).problems.map((problem) => {
    const line = problemLine(problem);
    expect(line).toMatch(/^wheelhouse\.yaml:\d+:\d+ sign_in/);
    return line.replace(/^\S+ /, "");
  });
}

describe("S-187: what is wrong with sign_in of wheelhouse.yaml is said with its field", () => {
  it("is nothing where it is right", async () => {
    expect(await said("name: Acme", "name: Acme")).toEqual([]);
  });

  const { issuer } = provider;
  const variable = "$" + "{WHEELHOUSE_OIDC_SECRET}";
  it.each([
    ["a provider without a name", "name: Acme", 'name: " "', "sign_in.name: must not be empty"],
    [
      "a name that fits no button",
      "name: Acme",
      `name: ${"n".repeat(61)}`,
      "sign_in.name: must be at most 60 characters long",
    ],
    ["an issuer that is no address", issuer, "acme", "sign_in.issuer: must be an address"],
    [
      "an issuer in the clear",
      issuer,
      "http://id.example.com",
      "sign_in.issuer: must begin with https, but on this machine",
    ],
    [
      "an issuer with a password",
      issuer,
      "https://me:secret@id.example.com",
      "sign_in.issuer: must have no query, fragment or user name",
    ],
    [
      "an issuer with a query",
      issuer,
      `${issuer}?tenant=1`,
      "sign_in.issuer: must have no query, fragment or user name",
    ],
    [
      "a secret that stands in the file",
      variable,
      "hunter2",
      `sign_in.client_secret: must name a variable, such as ${variable}: secrets never stand in files`,
    ],
    [
      "scopes without openid",
      "  trust_email: false",
      "  scopes: [email]",
      "sign_in.scopes: must hold openid",
    ],
    [
      "two scopes in one",
      "  trust_email: false",
      '  scopes: [openid, "email profile"]',
      "sign_in.scopes.1: must be a scope without spaces",
    ],
    [
      "a claim without a name",
      "  trust_email: false",
      '  claims: { groups: "" }',
      "sign_in.claims.groups: must not be empty",
    ],
    [
      "a team that there is not",
      "crew: { teams: { team_harbor: viewer } }",
      "crew: { teams: { team_harbr: viewer } }",
      'sign_in.groups.crew.teams.team_harbr: there is no team "team_harbr" (did you mean "team_harbor"?)',
    ],
  ])("%s", async (_, from, to, words) => {
    expect(await said(from, to)).toEqual([words]);
  });

  it.each([
    [
      "a role that there is not",
      "team_harbor: viewer",
      "team_harbor: owner",
      /^sign_in\.groups\.crew\.teams\.team_harbor: .*viewer/,
    ],
    ["a prompt that there is not", "  trust_email: false", "  prompt: never", /^sign_in\.prompt: .*consent/],
    ["a plan that there is not", "  trust_email: false", "  plan: gold", /^sign_in\.plan: .*free/],
    ["a field that there is not", "  trust_email: false", "  isuer: x", /^sign_in(\.isuer)?: .*isuer/],
  ])("%s", async (_, from, to, words) => {
    expect(await said(from, to)).toEqual([expect.stringMatching(words)]);
  });

  it("no group at all: nobody could sign in", async () => {
    const text = oidcWorkspace(provider, "", " {}");
    writeFileSync(join(folder, "wheelhouse.yaml"), text);
    expect((await readWorkspace(folder)).problems.map(problemLine)).toEqual([
      expect.stringContaining("sign_in.groups: must name a group: without one nobody could sign in"),
    ]);
  });
});
