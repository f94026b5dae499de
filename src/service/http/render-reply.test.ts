import { Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import pino from "pino";
import { expect, test } from "vitest";
import { listSavedItems } from "../../contract/flows.ts";
import type { Context } from "../context.ts";
import { createLimiter } from "../limiter.ts";
import { renderReply } from "./render-reply.ts";

test("S-277: of many large answers that are taken at once a piece of one is made at a time, and all else comes between", async () => {
  const parts = { checkAnswers: false, large: createLimiter({ places: 20 }) };
  let turn = 0;
  let isOver = false;
  const count = async () => {
    for (; !isOver; turn++) await setImmediate();
  };
  const begun: number[] = [];
  async function* pieces(): AsyncGenerator<string> {
    for (let at = 0; at < 5; at++) {
      begun.push(turn);
      yield "x";
    }
  }
  const take = async () => {
    const reply = { type: "pieces", pieces: pieces() } as const;
    const request = { headers: new Headers() };
    const record = { log: pino({ level: "silent" }) };
    // Of the context such a reply needs nothing.
    const context = {} as Context;
    const { body } = renderReply(context, parts, {
      endpoint: listSavedItems,
      reply,
      request,
      record,
      who: "",
    });
    if (!(body instanceof Readable)) throw new Error("it is not sent in pieces");
    let text = "";
    for await (const piece of body) text += piece;
    return text;
  };
  const counting = count();
  const taken = await Promise.all(Array.from({ length: 20 }, take));
  isOver = true;
  await counting;
  expect(taken).toEqual(Array(20).fill("xxxxx"));
  const inTurn = begun.map((at) => begun.filter((other) => other === at).length);
  // What counts the turns may come before or after a piece in one of them.
  expect(Math.max(...inTurn)).toBeLessThanOrEqual(2);
});
