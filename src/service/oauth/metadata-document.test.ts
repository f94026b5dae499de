import { describe, expect, it } from "vitest";
import { outgoingTests } from "../../testing/outgoing.ts";
import { isDocumentId, MetadataDocumentError, readMetadataDocument } from "./metadata-document.ts";

const id = "https://app.example.com/oauth/client.json";
const good = {
  client_id: id,
  client_name: "Reader",
  redirect_uris: ["https://app.example.com/callback", "http://127.0.0.1/callback"],
};
const json = { "content-type": "application/json" };
const { client } = outgoingTests();

/** Reads what a server of the test's own answers. */
const read = (body: unknown, init: ResponseInit = { headers: json }, of = id) =>
  readMetadataDocument(
    async () => new Response(typeof body === "string" ? body : JSON.stringify(body), init),
    of,
  ).catch((error: unknown) => (error instanceof MetadataDocumentError ? error.message : error));

describe("a metadata document of a program", () => {
  it("says what it is called and where it is answered", async () => {
    expect(await read(good)).toEqual({ name: "Reader", redirectUris: good.redirect_uris });
    expect(await read({ ...good, client_name: undefined })).toMatchObject({ name: "app.example.com" });
    expect(await read({ ...good, client_name: " \u3164\u2800" })).toMatchObject({ name: "app.example.com" });
    expect(await read({ ...good, client_name: " \u202eBank\u0000\n of  Harbor" })).toMatchObject({
      name: "Bank of Harbor",
    });
  });

  it.each([
    ["another program", { ...good, client_id: "https://app.example.com/other.json" }, /another program/],
    ["an address elsewhere", { ...good, redirect_uris: ["https://evil.example/"] }, /somewhere else/],
    ["a script as an address", { ...good, redirect_uris: ["javascript:alert(1)"] }, /somewhere else/],
    ["no address", { ...good, redirect_uris: [] }, /not complete/],
    ["a secret", { ...good, token_endpoint_auth_method: "client_secret_post" }, /secret/],
    ["no object", "[]", /not complete/],
    ["no JSON", "<html>", /no JSON/],
    ["far too much", JSON.stringify({ ...good, more: "x".repeat(70_000) }), /too long/],
  ])("S-170: is not believed where it says %s", async (_, body, why) => {
    expect(await read(body)).toMatch(why);
  });

  it.each([
    ["a redirect", { status: 302, headers: { ...json, location: "https://app.example.com/real" } }],
    ["an error", { status: 500, headers: json }],
    ["a page", { headers: { "content-type": "text/html" } }],
  ])("S-170: is not read from %s", async (_, init) => {
    expect(await read(good, init)).toMatch(/does not say/);
  });

  it.each([
    "http://app.example.com/client.json",
    "https://app.example.com/",
    "https://user@app.example.com/client.json",
    "https://app.example.com/a/../client.json",
    "https://app.example.com/client.json#x",
    "https://APP.example.com/client.json",
    "https://app.example.com\\@evil.example/client.json",
    "prog_abc",
  ])("S-170: is not asked for at %s", (other) => {
    expect(isDocumentId(other)).toBe(false);
    expect(isDocumentId(id)).toBe(true);
  });

  it.each(["127.0.0.1", "localhost", "[::1]", "169.254.169.254", "10.0.0.1", "192.168.1.1", "[fd00::1]"])(
    "S-169: no program makes the service call %s",
    async (host) => {
      const address = `https://${host}:1/client.json`;
      const failed = await readMetadataDocument(client().fetch, address).catch((error: unknown) => error);
      expect(failed).toBeInstanceOf(MetadataDocumentError);
      expect(String(failed)).toMatch(/could not be asked/);
    },
  );
});
