import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeObject } from "../../testing/security/objects.ts";
import { startWorld, type World } from "../../testing/security/world.ts";

let now = new Date();
let world: World;
const logged: string[] = [];
beforeAll(async () => {
  world = await startWorld({ clock: { now: () => now }, logTo: (line) => logged.push(line) });
});
afterAll(() => world.stop());

interface Made {
  readonly artifactId: string;
  readonly fileId: string;
  /** Signed for Ann, to be shown and to be saved. */
  readonly shown: string;
  readonly saved: string;
}

/** An artifact of Ann's. */
async function make(mediaType: string, filename: string, content: string): Promise<Made> {
  const { store, files } = world.context;
  const artifactId = await makeObject(world.context, "artifact", "own");
  const { file_id } = await store.db
    .updateTable("artifact_versions")
    .set({ media_type: mediaType, size: content.length })
    .where("artifact_id", "=", artifactId)
    .returning("file_id")
    .executeTakeFirstOrThrow();
  const { interaction_id } = await store.db
    .updateTable("artifacts")
    .set({ filename })
    .where("id", "=", artifactId)
    .returning("interaction_id")
    .executeTakeFirstOrThrow();
  await files.write(file_id, content);
  const listed = await world.ask("listArtifacts", "owner", { query: { session_id: interaction_id } });
  const saved = await world.ask("getArtifactDownload", "owner", { params: { artifact_id: artifactId } });
  return {
    artifactId,
    fileId: file_id,
    shown: JSON.parse(listed.text).artifacts[0].url,
    saved: JSON.parse(saved.text).download_url,
  };
}

const headerOf = async (url: string, name: string, init: RequestInit = {}) =>
  (await fetch(url, init)).headers.get(name);

describe("a signed link to a file", () => {
  test("C-10: opens the bytes under a policy that lets nothing in them run", async () => {
    const { shown } = await make("text/html", "page.html", "<script>alert(1)</script>");
    const answer = await fetch(shown);
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-security-policy":
        "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; frame-ancestors 'self'",
      "content-type": "text/html; charset=utf-8",
      "content-disposition": "inline; filename=\"page.html\"; filename*=UTF-8''page.html",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cross-origin-resource-policy": "same-origin",
      "cache-control": "no-store",
    });
    expect(answer.headers.get("access-control-allow-origin")).toBeNull();
    expect(await answer.text()).toBe("<script>alert(1)</script>");
  });

  test("C-10: a file that links to other hosts tells their names to nobody", async () => {
    const { shown } = await make(
      "text/html",
      "page.html",
      '<a href="https://what-it-read.evil.test">more</a>',
    );
    expect(await headerOf(shown, "x-dns-prefetch-control")).toBe("off");
  });

  test("shows in place what a browser may show, saves the rest, and saves all where saving was asked for", async () => {
    const page = await make("text/html", "page.html", "x");
    expect(await headerOf(page.saved, "content-disposition")).toMatch(/^attachment;/);
    const program = await make("application/x-msdownload", "run.exe", "x");
    for (const url of [program.shown, program.saved])
      expect(await headerOf(url, "content-disposition")).toMatch(/^attachment;/);
  });

  test("C-10: is no script, style or worker of ours, whatever its file says that it is", async () => {
    const { shown } = await make("text/javascript", "app.js", "alert(1)");
    expect(await headerOf(shown, "content-type")).toBe("text/plain; charset=utf-8");
  });

  test.each([
    ["line\r\nbreak.txt", "line__break.txt", "line%0D%0Abreak.txt"],
    ['say "hi".txt', "say _hi_.txt", "say%20%22hi%22.txt"],
    ["../../etc/passwd", ".._.._etc_passwd", "..%2F..%2Fetc%2Fpasswd"],
    ["gpj\u202Eexe.html", "gpj_exe.html", "gpj%E2%80%AEexe.html"],
    ["bericht für Ada's *.md", "bericht fu_r Ada's *.md", "bericht%20f%C3%BCr%20Ada%27s%20%2A.md"],
  ])(
    "S-32: names the file in a header that %j cannot break, and has no name in its path",
    async (filename, ascii, encoded) => {
      const { shown, fileId } = await make("text/plain", filename, "x");
      expect(await headerOf(shown, "content-disposition")).toBe(
        `inline; filename="${ascii}"; filename*=UTF-8''${encoded}`,
      );
      expect(new URL(shown).pathname).toMatch(/^\/api\/v1\/files\/ver_[A-Za-z0-9]+$/);
      expect(fileId).toMatch(/^[\w-]+$/);
    },
  );

  test("S-32: a name of 4 KB and a media type that would break the header do no harm", async () => {
    const long = await make("text/plain", `${"ü".repeat(4_000)}.txt`, "x");
    expect((await headerOf(long.shown, "content-disposition"))?.length).toBeLessThan(2_500);
    const broken = await make("text/html\r\nset-cookie: x", "a", "x");
    const answer = await fetch(broken.shown);
    expect(answer.headers.get("content-type")).toBe("application/octet-stream");
    expect(answer.headers.get("set-cookie")).toBeNull();
  });

  test("gives a part of a film to a player that asks for it", async () => {
    const { shown } = await make("video/mp4", "film.mp4", "0123456789");
    const range = async (header: string) => {
      const answer = await fetch(shown, { headers: { range: header } });
      return [answer.status, answer.headers.get("content-range"), await answer.text()];
    };
    expect(await range("bytes=2-4")).toEqual([206, "bytes 2-4/10", "234"]);
    expect(await range("bytes=7-")).toEqual([206, "bytes 7-9/10", "789"]);
    expect(await range("bytes=-2")).toEqual([206, "bytes 8-9/10", "89"]);
    expect(await range("bytes=10-")).toEqual([416, "bytes */10", ""]);
    expect(await range("bytes=5-2")).toEqual([416, "bytes */10", ""]);
    expect(await range("bytes=0-1,4-5")).toEqual([200, null, "0123456789"]);
    expect(await range("lines=1-2")).toEqual([200, null, "0123456789"]);
    expect(await headerOf(shown, "accept-ranges")).toBe("bytes");
  });

  test("says to HEAD how much there is, without reading it", async () => {
    const { shown } = await make("audio/mpeg", "song.mp3", "0123456789");
    const whole = await fetch(shown, { method: "HEAD" });
    expect([whole.status, whole.headers.get("content-length"), await whole.text()]).toEqual([200, "10", ""]);
    expect(await headerOf(shown, "content-length", { method: "HEAD", headers: { range: "bytes=2-4" } })).toBe(
      "3",
    );
  });

  test("S-35: is refused when it or its method was changed, over, or its file gone", async () => {
    const { shown, saved, artifactId, fileId } = await make("text/plain", "a.txt", "hello");
    const another = await make("text/plain", "b.txt", "other");
    const changed = [
      `${shown}x`,
      `${shown}&x=1`,
      shown.replace("inline", "attachment"),
      shown.replace(artifactId, another.artifactId),
      shown.replace(/files\/\w+/, "files/ver_other"),
      shown.replace("/files/", "/files//"),
      shown.replace("artifact=", "artifact=x&artifact="),
      shown.replace("ver_", "%76er_"),
    ];
    for (const url of changed) expect([403, 404], url).toContain((await fetch(url)).status);
    for (const method of ["POST", "PUT", "DELETE", "PATCH"])
      expect((await fetch(shown, { method })).status, method).toBe(403);
    const before = now;
    now = new Date(now.getTime() + 16 * 60_000);
    const late = await fetch(shown);
    expect([late.status, (await late.json()).error.code]).toEqual([410, "link_expired"]);
    now = before;
    await world.context.files.remove(fileId);
    expect((await fetch(shown)).status).toBe(404);
    await world.context.files.write(fileId, "hello");
    expect((await fetch(shown)).status).toBe(200);
    const gone = { removed_at: now };
    await world.context.store.db.updateTable("artifacts").set(gone).where("id", "=", artifactId).execute();
    for (const url of [shown, saved]) expect((await fetch(url)).status).toBe(404);
  });

  test("S-414: says in the log which file it is that the database names and that is not there", async () => {
    const { shown, fileId } = await make("text/plain", "a.txt", "hello");
    await world.context.files.remove(fileId);
    const before = logged.length;
    expect((await fetch(shown)).status).toBe(404);
    const told = logged.slice(before).map((line) => JSON.parse(line));
    expect(told.find(({ fileId: id }) => id === fileId)).toMatchObject({ level: 50 });
  });

  test("S-292: says when it ended, and with another code by how much the clock that dated it is ahead", async () => {
    const { shown } = await make("text/plain", "a.txt", "hello");
    const heard = async (offMs: number) => {
      now = new Date(now.getTime() + offMs);
      const answer = await fetch(shown);
      now = new Date(now.getTime() - offMs);
      return [answer.status, (await answer.json()).error];
    };
    const end = new Date(Number(new URL(shown).searchParams.get("expires")) * 1_000);
    const [late, ended] = await heard(75 * 60_000);
    expect([late, ended.code, ended.details]).toEqual([410, "link_expired", { ended_at: end.toISOString() }]);
    const at = `${end.toISOString().slice(0, 19).replace("T", " ")} UTC`;
    expect(ended.message).toMatch(
      new RegExp(`^This link ended at ${at}, 1 h 0\\d m ago: ask for a new one\\.`),
    );
    // A link that is as old as this may have been made a moment ago: then it is the clock that has jumped.
    expect(ended.message).toMatch(/less than ten minutes ago, the database's clock was turned forwards/);
    const [early, ahead] = await heard(-3_600_000);
    expect([early, ahead.code]).toEqual([403, "link_early"]);
    expect(ahead.details.ahead_s).toBeGreaterThanOrEqual(55 * 60);
    expect(ahead.message).toMatch(
      /^This link was issued in the future: .* at least (5[5-9] m \d\d s|1 h 00 m) ahead/,
    );
  });

  test("opens nothing to those who only know ids", async () => {
    const { shown } = await make("text/plain", "a.txt", "hello");
    const { origin, pathname } = new URL(shown);
    expect((await fetch(origin + pathname)).status).toBe(403);
    const asAnn = { headers: { authorization: `Bearer ${world.credentials.owner}` } };
    expect((await fetch(origin + pathname, asAnn)).status).toBe(403);
  });
});
