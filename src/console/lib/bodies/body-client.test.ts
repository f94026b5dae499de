import { describe, expect, it } from "vitest";
import { workerEnd } from "../../../testing/worker-end.ts";
import type { FromWorker } from "../workers/serve.ts";
import { createBodyReader } from "./body-client.ts";
import { type BodySlice, bodyMethods } from "./body-service.ts";

type Item = { id: string; role: string; content: string; timestamp: null };
const item = (at: number, content = `message ${at}`): Item => ({
  id: `m${at}`,
  role: "user",
  content,
  timestamp: null,
});
const items = (count: number) => Array.from({ length: count }, (_, at) => item(at));
const body = (messages: unknown, name = "Talk") => JSON.stringify({ session: { id: "s", name, messages } });
const key = "/sessions/s";

/** A reader, and what crossed over to the page. */
function open() {
  const crossed: FromWorker[] = [];
  const reader = createBodyReader(() => workerEnd(bodyMethods(), (message) => crossed.push(message)));
  const read = async (text: string, signal?: AbortSignal) => {
    crossed.length = 0;
    const read = await reader.read("getSession", key, text, signal);
    return read as { data: { session: { name: string; messages: Item[] } }; damage: readonly unknown[] };
  };
  const sizes = () =>
    crossed
      .filter((message) => !("ready" in message))
      .map((message) => {
        const slice = "told" in message ? (message.told as BodySlice) : null;
        return slice && "items" in slice ? slice.items.length : 0;
      });
  return { reader, read, sizes };
}

describe("big answers", () => {
  it("C-09 a long conversation comes over whole and in order, in slices that are short tasks", async () => {
    const { read, sizes } = open();
    const { data, damage } = await read(body(items(5_000)));
    expect(data.session).toMatchObject({ id: "s", name: "Talk" });
    expect(data.session.messages).toEqual(items(5_000));
    expect(damage).toEqual([]);
    expect(Math.max(...sizes())).toBeLessThanOrEqual(500);
  });

  it("C-09 one very long message is a slice of its own", async () => {
    const { read, sizes } = open();
    await read(body([item(0), item(1, "word ".repeat(100_000)), item(2), item(3)]));
    expect(sizes()).toEqual([2, 2, 0]);
  });

  it("an answer that says the same is the very same object, and nothing of it crosses", async () => {
    const { read, sizes } = open();
    const first = await read(body(items(1_000)));
    const second = await read(body(items(1_000)));
    expect(second.data).toBe(first.data);
    expect(second.damage).toBe(first.damage);
    expect(sizes()).toEqual([0]);
  });

  it("only messages that changed cross; all others stay the very same", async () => {
    const { read, sizes } = open();
    const first = (await read(body(items(1_000)))).data.session.messages;
    const changed = items(1_000).with(3, item(3, "another text")).concat(item(1_000));
    const second = (await read(body(changed))).data.session.messages;
    expect(second).toEqual(changed);
    expect(sizes()).toEqual([2, 0]);
    expect(second[2]).toBe(first[2]);
    expect(second[4]).toBe(first[4]);
    const third = (await read(body(items(10)))).data.session.messages;
    expect(third).toEqual(items(10));
  });

  it("what is around the list may change by itself", async () => {
    const { read } = open();
    const first = await read(body(items(10)));
    const second = await read(body(items(10), "Another name"));
    expect(second.data.session.name).toBe("Another name");
    expect(second.data.session.messages).toBe(first.data.session.messages);
    expect((await read(body(null))).data.session.messages).toBeNull();
    expect((await read(body(items(2)))).data.session.messages).toEqual(items(2));
    expect((await read(body([]))).data.session.messages).toEqual([]);
  });

  it("C-01 what is broken in it is taken out and named", async () => {
    const { read } = open();
    const broken = body([item(0), "no message", { ...item(2), content: 7 }]);
    const first = await read(broken);
    expect(first.data.session.messages).toEqual([item(0), { id: "m2", role: "user", timestamp: null }]);
    expect(first.damage).toHaveLength(2);
    expect((await read(broken)).damage).toBe(first.damage);
  });

  it("C-13 what is no answer of the endpoint is left to the page", async () => {
    const { reader, read } = open();
    expect(await read("[1, 2")).toBeUndefined();
    expect(await read('"a text"')).toBeUndefined();
    expect(await reader.read("listAgents", key, "{}")).toBeUndefined();
  });

  it("whoever gives up is not told, and the next read is whole", async () => {
    const { read } = open();
    const gone = new AbortController();
    const first = read(body(items(700)), gone.signal);
    gone.abort(new Error("gone"));
    await expect(first).rejects.toThrow("gone");
    expect((await read(body(items(701)))).data.session.messages).toEqual(items(701));
  });

  it("a worker that dies leaves the answer to the page, and the next one is read by a new worker", async () => {
    const deaths: (() => void)[] = [];
    const reader = createBodyReader(() => {
      const { postMessage, listen, terminate } = workerEnd(bodyMethods());
      return {
        postMessage: (...all) => deaths.length > 1 && postMessage(...all),
        listen: (onMessage, onDeath) => {
          deaths.push(onDeath);
          listen(onMessage, onDeath);
        },
        terminate,
      };
    });
    const first = reader.read("getSession", key, body(items(3)));
    deaths[0]?.();
    expect(await first).toBeUndefined();
    expect(await reader.read("getSession", key, body(items(3)))).toMatchObject({
      data: { session: { messages: items(3) } },
    });
  });

  it("of the core's answer the messages are the list", async () => {
    const { reader } = open();
    const text = JSON.stringify({
      interaction_id: "s",
      state: "COMPLETED",
      messages: items(3),
      response: "hi",
    });
    const read = await reader.read("agentStatus", key, text);
    expect(read?.data).toEqual(JSON.parse(text));
  });
});
