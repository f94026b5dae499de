import { describe, expect, it } from "vitest";
import { createQuestionsInCall } from "./questions-in-call.ts";
import { readAsks, readQuestion } from "./server-question.ts";

const asks = (properties: Record<string, unknown>, message = "Which?", required: string[] = []) =>
  readQuestion("q", { mode: "form", message, requestedSchema: { type: "object", properties, required } });
const { signal } = new AbortController();

describe("a form of a server", () => {
  it("has a field for each of its properties, as the revision knows them", () => {
    const { shown } = asks(
      {
        name: {
          type: "string",
          title: "Your name",
          description: "As on the papers",
          minLength: 2,
          maxLength: 40,
        },
        mail: { type: "string", format: "email", default: "ann@example.com" },
        day: { type: "string", format: "date" },
        boats: { type: "integer", minimum: 1, maximum: 9, default: 2 },
        sure: { type: "boolean", default: true },
        side: { type: "string", enum: ["n", "s"], enumNames: ["North", "South"] },
        pier: { type: "string", oneOf: [{ const: "a", title: "Pier A" }] },
        crew: { type: "array", items: { enum: ["ann", "bob"] }, minItems: 1, maxItems: 2, default: ["ann"] },
      },
      "Which?",
      ["name"],
    );
    expect(shown?.fields).toMatchObject([
      {
        name: "name",
        type: "text",
        label: "Your name",
        help: "As on the papers",
        required: true,
        min: 2,
        max: 40,
      },
      { name: "mail", type: "text", format: "email", default: "ann@example.com", required: false },
      { name: "day", type: "date" },
      { name: "boats", type: "number", whole: true, min: 1, max: 9, default: 2 },
      { name: "sure", type: "boolean", default: true },
      { name: "side", type: "choice", choices: ["n", "s"], choice_labels: ["North", "South"] },
      { name: "pier", type: "choice", choices: ["a"], choice_labels: ["Pier A"] },
      { name: "crew", type: "choices", choices: ["ann", "bob"], min: 1, max: 2, default: ["ann"] },
    ]);
  });

  it.each([
    ["password", {}],
    ["apiKey", {}],
    ["API-KEY", {}],
    ["access_token", {}],
    ["x", { title: "Credit card number" }],
    ["x", { description: "The one-time code from your phone" }],
    ["x", { format: "password" }],
    ["x", { title: "Ｐａｓｓｗｏｒｄ" }],
    ["x", { title: "Pass\u200Bword" }],
  ])("S-200: that asks for a secret is not shown: %s %j", (name, more) => {
    expect(asks({ [name]: { type: "string", ...more } })).toMatchObject({
      shown: null,
      refusal: "asks for a secret",
    });
  });

  it.each([["keyboard"], ["tokenRing"], ["monkey"], ["passenger"], ["author"]])(
    "that only sounds like one is shown: %s",
    (name) => {
      // "token" as a word of its own is refused even where it is harmless: an address can be asked for instead.
      expect(asks({ [name]: { type: "string" } }).shown === null).toBe(name === "tokenRing");
    },
  );

  it("S-204: hostile words are bounded, and without what turns or hides them", () => {
    const { shown } = asks(
      { a: { type: "string", title: `File \u202Egpj.exe\u0007${"x".repeat(900)}` } },
      `<b>Hi</b>\u202E\u0000${"y".repeat(9_000)}`,
    );
    expect(shown?.message).toHaveLength(2_000);
    expect(shown?.message.startsWith("<b>Hi</b>y")).toBe(true);
    expect(shown?.fields[0]?.label).toMatch(/^File gpj\.exex+…$/);
    expect(shown?.fields[0]?.label).toHaveLength(200);
  });

  it.each([
    [
      "too many fields",
      Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`f${i}`, { type: "string" }])),
    ],
    ["a field within a field", { a: { type: "object", properties: {} } }],
    ["a name that is none", { 'a"]': { type: "string" } }],
    ["too many choices", { a: { type: "string", enum: Array.from({ length: 101 }, (_, i) => `c${i}`) } }],
    ["a choice that is not seen", { a: { type: "string", enum: ["a\u202Eb"] } }],
    ["more than anybody reads", { a: { type: "string", description: "x".repeat(60_000) } }],
  ])("S-204: with %s is shown to nobody", (_, properties) => {
    expect(asks(properties).shown).toBeNull();
  });
});

it("S-204: of more questions than can be asked at once the rest is declined", () => {
  const one = {
    method: "elicitation/create",
    params: { message: "?", requestedSchema: { type: "object", properties: {} } },
  };
  const { questions } = readAsks(
    {
      ...Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`q${i}`, one])),
      model: { method: "sampling/createMessage", params: {} },
    },
    null,
  );
  expect(questions.map(({ shown }) => shown !== null)).toEqual([
    ...Array(5).fill(true),
    ...Array(4).fill(false),
  ]);
});

describe("S-205: a question of an earlier revision, which does not say to which call it belongs", () => {
  const kim = { share: ["user_kim"], signal };
  const question = { message: "Which?", requestedSchema: { type: "object", properties: {} } };

  it("is asked where one call is under way, and of two at once of nobody", async () => {
    const questions = createQuestionsInCall();
    const alone = await questions.during([], kim, async () => questions.answer(question));
    expect(alone.asked).toHaveLength(1);
    const fresh = createQuestionsInCall();
    let end = () => {};
    const first = fresh.during(
      [],
      kim,
      () =>
        new Promise<void>((done) => {
          end = done;
        }),
    );
    const second = await fresh.during([], kim, async () => fresh.answer(question));
    end();
    expect([(await first).asked, second.asked]).toEqual([[], []]);
    expect(second.result).toMatchObject({ value: { action: "cancel" } });
  });

  it("makes calls of its connection one after the other from then on", async () => {
    const questions = createQuestionsInCall();
    await questions.during([], kim, async () => questions.answer(question));
    const order: string[] = [];
    let end = () => {};
    const first = questions.during(
      [],
      kim,
      () =>
        new Promise<void>((done) => {
          end = done;
        }),
    );
    const second = questions.during([], kim, async () => {
      order.push("second");
      return questions.answer(question);
    });
    order.push("first ends");
    end();
    await first;
    expect((await second).asked).toHaveLength(1);
    expect(order).toEqual(["first ends", "second"]);
  });

  it("S-249: those calls take turns by whom they are for, and hear that they wait", async () => {
    const questions = createQuestionsInCall();
    await questions.during([], kim, async () => questions.answer(question));
    let end = () => {};
    const held = questions.during(
      [],
      kim,
      () =>
        new Promise<void>((done) => {
          end = done;
        }),
    );
    const order: string[] = [];
    const waits: (number | undefined)[] = [];
    const calls = ["kim", "kim", "kim", "lee"].map((who) => {
      const onWait = (ahead: (() => number) | null) => void waits.push(ahead?.());
      const requester = { share: [`user_${who}`], signal, onWait };
      return questions.during([], requester, async () => void order.push(who));
    });
    end();
    await Promise.all([held, ...calls]);
    expect(order).toEqual(["lee", "kim", "kim", "kim"]);
    expect(waits).toEqual([0, 1, 2, 0]);
  });

  it("is not taken for that of a call which nobody waits for any more", async () => {
    const questions = createQuestionsInCall();
    await questions.during([], kim, async () => questions.answer(question));
    expect(questions.isDoubtful).toBe(false);
    await questions.during([], kim, async () => {
      throw new Error("timeout");
    });
    expect(questions.isDoubtful).toBe(true);
  });
});
