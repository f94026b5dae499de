import type { RequestListener, ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import { outgoingTests } from "../../testing/outgoing.ts";
import { until } from "../../testing/until.ts";
import { createPlaces } from "./places.ts";

const { serve, client, get } = outgoingTests();
const places = 50;

/** A host that answers nothing until the test lets it. */
async function silent(answers: Record<string, RequestListener> = {}) {
  const open = new Set<ServerResponse>();
  let isAnswering = false;
  const seen: string[] = [];
  const port = await serve((request, response) => {
    const { url = "" } = request;
    seen.push(url);
    const answer = answers[url];
    if (answer !== undefined) return answer(request, response);
    if (isAnswering) return response.end("ok");
    open.add(response);
    response.once("close", () => open.delete(response));
  });
  const url = `http://localhost:${port}`;
  const answerAll = () => {
    isAnswering = true;
    for (const response of open) response.end("ok");
  };
  return { port, url, open, seen, answerAll };
}

type Host = Awaited<ReturnType<typeof silent>>;
const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, i) => make(i));
const of = (tenant: string) => ({ share: [tenant, tenant, `run of ${tenant}`] });

/** @returns how many requests of one tenant reach a host at a time that answers none of them */
async function placesOf(outgoing: ReturnType<typeof client>, host: Host): Promise<number> {
  const stop = new AbortController();
  let waiting = 0;
  const onWait = () => void waiting++;
  const sent = times(places + 5, () =>
    get(outgoing, `${host.url}/count`, {
      signal: stop.signal,
      requester: { ...of("team_count"), onWait },
    }).catch(() => null),
  );
  await until("each to have been sent or to wait", async () => host.open.size + waiting >= sent.length);
  const under = host.open.size;
  stop.abort();
  await Promise.all(sent);
  await until("the host to see them end", async () => host.open.size === 0);
  return under;
}

describe("S-247 requests to one host that does not answer", () => {
  test("are no more than its places; another tenant's goes at once, and whoever waits hears how many are before it", async () => {
    const host = await silent();
    const outgoing = client({ allowPrivate: [`localhost:${host.port}`] });
    const many = times(places + 30, () => get(outgoing, `${host.url}/many`, { requester: of("team_a") }));
    await until("the places to be taken", async () => host.open.size === places);
    const heard: string[] = [];
    const requester = {
      ...of("team_a"),
      onWait: (ahead: (() => number) | null) => void heard.push(`waits behind ${ahead?.()}`),
      onStart: () => void heard.push("has its place"),
    };
    const late = get(outgoing, `${host.url}/late`, { requester });
    await until("it to wait", async () => heard.length > 0);
    expect(heard).toEqual(["waits behind 30"]);
    const other = get(outgoing, `${host.url}/other`, { requester: of("team_b") });
    await until("the other's to come", async () => host.seen.includes("/other"));
    expect(host.seen.filter((url) => url !== "/other")).toHaveLength(places);
    host.answerAll();
    await Promise.all([...many, late, other]);
    expect(heard).toEqual(["waits behind 30", "has its place"]);
  });

  test("are let go while they wait, and are never sent then", async () => {
    const host = await silent();
    const outgoing = client({ allowPrivate: [`localhost:${host.port}`] });
    const held = times(places, () => get(outgoing, `${host.url}/held`, { requester: of("team_a") }));
    await until("the places to be taken", async () => host.open.size === places);
    const stop = new AbortController();
    const waiting = get(outgoing, `${host.url}/late`, { signal: stop.signal, requester: of("team_a") });
    stop.abort(new Error("killed"));
    await expect(waiting).rejects.toThrow("killed");
    host.answerAll();
    await Promise.all(held);
    expect(host.seen).not.toContain("/late");
  });
});

describe("S-248 a process has as many places afterwards as before", () => {
  const redirectTo =
    (location: string): RequestListener =>
    (_, response) =>
      response.writeHead(302, { location }).end("moved");

  test("whatever became of the requests: cut off, broken, too large, refused, redirected", async () => {
    const host = await silent({
      "/breaks": (_, response) => {
        response.writeHead(200, { "content-length": "100" });
        response.write("half", () => response.destroy());
      },
      "/dies": (request) => request.socket.destroy(),
      "/large": (_, response) => {
        response.writeHead(200);
        response.end(Buffer.alloc(10_000_001));
      },
      "/round": redirectTo("/round"),
      "/inward": redirectTo("http://127.0.0.1:1/"),
      "/nonsense": redirectTo("ftp://example.com/"),
      "/headers": (_, response) => response.writeHead(200, { "x-big": "v".repeat(100_000) }).end(),
      "/fine": (_, response) => response.end("fine"),
    });
    const outgoing = client({ allowPrivate: [`localhost:${host.port}`] });
    expect(await placesOf(outgoing, host)).toBe(places);
    const requester = of("team_count");
    for (const path of ["breaks", "dies", "round", "inward", "nonsense", "headers", "fine"]) {
      await Promise.allSettled(times(20, () => get(outgoing, `${host.url}/${path}`, { requester })));
    }
    await Promise.allSettled(times(3, () => get(outgoing, `${host.url}/large`, { requester })));
    await Promise.allSettled(
      times(20, () => get(outgoing, `${host.url}/`, { requester, headers: { "a b": "c" } })),
    );
    expect(await placesOf(outgoing, host)).toBe(places);
  });

  test("while streams that rest stay open: they take none", async () => {
    const host = await silent({
      "/stream": (_, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write(": open\n\n");
      },
    });
    const outgoing = client({ allowPrivate: [`localhost:${host.port}`] });
    const streams = await Promise.all(times(places + 20, () => outgoing.fetch(`${host.url}/stream`)));
    expect(await placesOf(outgoing, host)).toBe(places);
    await Promise.all(streams.map((stream) => stream.body?.cancel()));
    expect(await placesOf(outgoing, host)).toBe(places);
  });

  test("also where full hosts redirect to each other: none waits for one with another in its hand", async () => {
    const answers: Record<string, RequestListener> = {};
    const [a, b] = [await silent(answers), await silent(answers)];
    const outgoing = client({ allowPrivate: [`localhost:${a.port}`, `localhost:${b.port}`] });
    const gather = (to: Host): RequestListener => {
      const came: (() => void)[] = [];
      return (_, response) => {
        came.push(() => response.writeHead(302, { location: `${to.url}/end` }).end());
        // All of its places are taken when the first of them is sent on.
        if (came.length >= places) for (const go of came.splice(0)) go();
      };
    };
    answers["/to-b"] = gather(b);
    answers["/to-a"] = gather(a);
    answers["/end"] = (_, response) => response.end("end");
    const requester = of("team_a");
    const sent = times(places, () => [
      get(outgoing, `${a.url}/to-b`, { requester }),
      get(outgoing, `${b.url}/to-a`, { requester }),
    ]).flat();
    for (const { text } of await Promise.all(sent)) expect(text).toBe("end");
  });

  test("and keeps no host in memory to which nothing is under way", async () => {
    const known = createPlaces({ places: 1 });
    const stop = new AbortController();
    const requester = { share: ["a"], signal: stop.signal };
    const never = () =>
      new Promise<void>((_, reject) => stop.signal.addEventListener("abort", () => reject(new Error())));
    const all = times(1_000, (index) => [
      known.run(`host ${index}`, requester, never),
      known.run(`host ${index}`, requester, never),
      known.run(`host ${index}`, requester, async () => {}),
    ]).flat();
    expect(known.size).toBe(1_000);
    stop.abort();
    await Promise.allSettled(all);
    expect(known.size).toBe(0);
  });
});
