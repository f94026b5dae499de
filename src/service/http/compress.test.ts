import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { contentDisposition, jsonAnswer } from "./answer.ts";
import { compress, preferredEncoding } from "./compress.ts";

const long = jsonAnswer(200, JSON.stringify({ text: "a line of a log\n".repeat(500) }));

test("a long answer is compressed as the client accepts, and says so", async () => {
  const brotli = await compress(long, "gzip, deflate, br");
  expect(brotli.headers).toMatchObject({ "content-encoding": "br", vary: "accept-encoding" });
  expect(brotliDecompressSync(brotli.body as Uint8Array).toString()).toBe(long.body);
  const gzip = await compress(long, "gzip");
  expect(gzip.headers["content-encoding"]).toBe("gzip");
  expect(gunzipSync(gzip.body as Uint8Array).toString()).toBe(long.body);
});

test("a short answer, and one for a client that accepts nothing, go as they are", async () => {
  const short = jsonAnswer(200, '{"a":1}');
  expect(await compress(short, "br")).toBe(short);
  const plain = await compress(long, null);
  expect(plain.body).toBe(long.body);
  expect(plain.headers).toMatchObject({ vary: "accept-encoding" });
});

test.each([
  ["br;q=0, gzip;q=0.5", "gzip"],
  ["*", "br"],
  ["gzip;q=1, br;q=0.2", "gzip"],
  ["identity", null],
  ["br;q=0, *;q=0", null],
  ["br;q=x", null],
])("Accept-Encoding `%s` chooses %s", (header, expected) => {
  expect(preferredEncoding(header)).toBe(expected);
});

test.each([
  ["report.md", `attachment; filename="report.md"; filename*=UTF-8''report.md`],
  [
    'a"b\\c\r\nSet-Cookie: x',
    `attachment; filename="a_b_c__Set-Cookie: x"; filename*=UTF-8''a%22b%5Cc%0D%0ASet-Cookie%3A%20x`,
  ],
  ["übung.csv", `attachment; filename="u_bung.csv"; filename*=UTF-8''%C3%BCbung.csv`],
  ["gpj\u202eexe", `attachment; filename="gpj_exe"; filename*=UTF-8''gpj%E2%80%AEexe`],
])("S-32: the file name %j cannot break the header", (filename, expected) => {
  expect(contentDisposition("attachment", filename)).toBe(expected);
});

test("S-32: a name of four kilobytes and half a character gives a header that can be sent", () => {
  const header = contentDisposition("attachment", `${"x".repeat(4096)}\ud800`);
  expect(header.length).toBeLessThan(2_400);
  expect(() => new Headers({ "content-disposition": header })).not.toThrow();
});
