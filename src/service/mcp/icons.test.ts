import { beforeEach, describe, expect, it } from "vitest";
import { createIcons, type Icons } from "./icons.ts";

const png = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");
const day = 86_400_000;
let now = 0;
let asked = 0;
let icons: Icons;
beforeEach(() => {
  now = 0;
  asked = 0;
  icons = createIcons(() => now);
});

/** @param says what the server calls its file */
const answering = (body: BodyInit, says = "image/png", status = 200) => {
  return async () => {
    asked++;
    return new Response(body, { status, headers: { "content-type": says } });
  };
};
const get = (fetch: typeof globalThis.fetch, url = "https://x.example/i") => icons.get("drive", url, fetch);

describe("the picture of an MCP server", () => {
  it.each([
    ["image/png", png],
    ["image/jpeg", Buffer.from("ffd8ffe000104a464946", "hex")],
    ["image/gif", Buffer.from("GIF89a\u0001")],
    ["image/webp", Buffer.from("RIFF....WEBPVP8 ")],
  ])("is %s by its bytes, whatever the server calls it", async (mediaType, bytes) => {
    expect(await get(answering(bytes, "text/html"))).toMatchObject({ mediaType });
  });

  it.each([
    ["a drawing, which is a program", "<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>", 200],
    ["a page", "<!doctype html><script>alert(1)</script>", 200],
    ["nothing", "", 200],
    ["an error with a picture", png, 404],
  ])("is not %s, whatever the server calls it", async (_, body, status) => {
    expect(await get(answering(body, "image/png", status))).toBeNull();
  });

  it("is not larger than 256 KiB, and is not read further than that", async () => {
    const largest = Buffer.concat([png, Buffer.alloc(262_144 - png.length)]);
    expect((await get(answering(largest)))?.bytes.length).toBe(262_144);
    let given = 0;
    const long = new ReadableStream<Uint8Array>({
      pull(controller) {
        given++;
        if (given > 50) controller.close();
        else controller.enqueue(given === 1 ? png : new Uint8Array(100_000));
      },
    });
    expect(await get(answering(long), "https://x.example/long")).toBeNull();
    expect(given).toBeLessThan(10);
  });

  it("is asked for once a day for all who look, and again after five minutes where there was none", async () => {
    const fetch = answering(png);
    await Promise.all([get(fetch), get(fetch), get(fetch)]);
    now = day - 1;
    await get(fetch);
    expect(asked).toBe(1);
    now = day + 1;
    expect(await get(answering("", "image/png", 500))).toBeNull();
    await get(fetch);
    expect(asked).toBe(2);
    now += 300_001;
    expect(await get(fetch)).not.toBeNull();
    expect(asked).toBe(3);
  });
});
