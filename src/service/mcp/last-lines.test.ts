import { PassThrough } from "node:stream";
import fc from "fast-check";
import { expect, it } from "vitest";
import { lastLines, type Secret } from "./last-lines.ts";

/** What is shown of a text that comes in these pieces. */
async function shown(pieces: readonly (string | Buffer)[], secrets: readonly Secret[] = []): Promise<string> {
  const stream = new PassThrough();
  const lines = lastLines(stream, secrets);
  for (const piece of pieces) stream.write(piece);
  stream.end();
  return await lines.read();
}

const value = fc
  .string({ unit: "grapheme-ascii", minLength: 4, maxLength: 40 })
  .map((text) => `5ecr3t${text}`);

it("whatever a command writes, in whatever pieces, little of it is shown, and no secret", async () => {
  const noise = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom("\n", "\r\n", "\u001b[31m", "a line\n", "\u0000", "x".repeat(5_000), "y\n".repeat(30)),
  );
  await fc.assert(
    fc.asyncProperty(
      value,
      fc.array(fc.option(noise), { maxLength: 40 }),
      fc.nat(),
      async (secret, text, at) => {
        // A gap is where the secret is printed.
        const whole = Buffer.from(text.map((piece) => piece ?? secret).join(""));
        const cut = whole.length === 0 ? 0 : at % whole.length;
        const pieces = [whole.subarray(0, cut), whole.subarray(cut)];
        const said = await shown(pieces, [{ name: "KEY", value: secret }]);
        expect(said).not.toContain("5ecr3t");
        expect(said.length).toBeLessThanOrEqual(2_000);
        expect(said.split("\n").length).toBeLessThanOrEqual(20);
        expect(said).not.toMatch(/[^\P{C}\n\t]/u);
      },
    ),
  );
});

it("a secret is not shown in another spelling of it either", async () => {
  await fc.assert(
    fc.asyncProperty(value, async (secret) => {
      const ways = [
        JSON.stringify({ secret }),
        encodeURIComponent(secret),
        Buffer.from(secret).toString("base64"),
        Buffer.from(secret).toString("base64url"),
      ];
      const said = await shown([ways.join("\n")], [{ name: "KEY", value: secret }]);
      expect(said.replaceAll("=", "")).toBe('{"secret":"[KEY]"}\n[KEY]\n[KEY]\n[KEY]');
    }),
  );
});

it("settings that are too short for a secret are left alone", async () => {
  expect(await shown(["step 1 is on\n"], [{ name: "DEBUG", value: "1" }])).toBe("step 1 is on");
});
