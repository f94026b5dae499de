// @vitest-environment jsdom
import "../../../api/jitless.ts";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { getRun } from "../../../../contract/run.ts";
import { aRun } from "../../../../testing/builders.ts";
import { mockServicePerTest } from "../../../../testing/msw-suite.ts";
import { aSignIn, signedInWheelhouse } from "../../../../testing/test-wheelhouse.ts";
import { ownerOf } from "../../../api/connection.ts";
import { buildRequest } from "../../../api/request.ts";
import type { Api } from "../../../lib/api.tsx";
import { createRunReader } from "./run-reader-client.ts";

const service = mockServicePerTest();
const id = "run_hello";
let api: Api;

beforeEach(() => {
  ({ api } = signedInWheelhouse());
});

const runs = () => api.keep(createRunReader);
const lines = () => runs().log(id).getLines(0, Number.MAX_SAFE_INTEGER);

describe("a run that the page has begun to read before its scripts came", () => {
  /** @returns what ends that read */
  function begin(answer: Response) {
    const { credential } = aSignIn();
    const input = { query: { run_id: id, ...ownerOf(api) } };
    const { url, headers } = buildRequest({ base: api.base, credential }, getRun, input);
    const stop = vi.fn();
    window.wheelhousePreloaded = new Map([[url, { answer: Promise.resolve(answer), headers, stop }]]);
    return stop;
  }
  const early = () =>
    new Response(JSON.stringify(aRun({ log: ["early"] })), {
      headers: { "content-type": "application/json", etag: '"early"' },
    });
  afterEach(() => {
    delete window.wheelhousePreloaded;
    vi.unstubAllGlobals();
  });

  const browsers: [string, () => void][] = [
    ["handed over to the worker as it comes", () => {}],
    [
      "handed over as a whole where the browser hands over no streams",
      () => {
        const clone = structuredClone;
        vi.stubGlobal("structuredClone", (value: unknown, options?: StructuredSerializeOptions) => {
          if (options?.transfer?.some((one) => one instanceof ReadableStream))
            throw new DOMException("A stream could not be cloned", "DataCloneError");
          return clone(value, options);
        });
      },
    ],
  ];
  it.each(browsers)("is %s, and asked for once", async (_how, inSuch) => {
    inSuch();
    begin(early());
    await runs().read(id, {});
    expect(lines()).toEqual(["early"]);
    expect(service().seen(getRun)).toHaveLength(0);
    service().state.runs = [aRun({ log: ["early", "late"] })];
    await runs().read(id, {});
    expect(lines()).toEqual(["early", "late"]);
    expect(
      service()
        .seen(getRun)
        .map(({ headers }) => headers.get("if-none-match")),
    ).toEqual(['"early"']);
  });

  it("is refused as it is otherwise", async () => {
    begin(new Response('{"detail":"Not yours"}', { status: 403 }));
    await expect(runs().read(id, {})).rejects.toMatchObject({ failure: { kind: "http", status: 403 } });
  });

  it.each(browsers)("is %s, and said to have broken off where it did", async (_how, inSuch) => {
    inSuch();
    const broken = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"run_id":'));
        controller.error(new TypeError("network error"));
      },
    });
    begin(new Response(broken));
    await expect(runs().read(id, {})).rejects.toMatchObject({
      failure: { kind: "not-the-service", impostor: "cut-off" },
    });
  });

  it("is given up with the page, also while its log still comes", async () => {
    const endless = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('{"run_id":')),
    });
    const stop = begin(new Response(endless));
    const page = new AbortController();
    const reading = runs().read(id, { signal: page.signal });
    await expect.poll(() => window.wheelhousePreloaded?.size).toBe(0);
    page.abort(new Error("left"));
    await expect(reading).rejects.toThrow("left");
    expect(stop).toHaveBeenCalledOnce();
  });
});
