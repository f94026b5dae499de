import { expect, it } from "vitest";
import { readTraceParent, traceHeaders } from "./traceparent.ts";

const id = "4bf92f3577b34da6a3ce929d0e0e4736";
const span = "00f067aa0ba902b7";
const good = `00-${id}-${span}-01`;

it("reads what W3C Trace Context says, and says it again", () => {
  const read = readTraceParent(good, "vendor=a b, other@x=2 ,,");
  expect(read).toEqual({ traceId: id, spanId: span, isSampled: true, state: "vendor=a b,other@x=2" });
  expect(read && traceHeaders(read)).toEqual({ traceparent: good, tracestate: "vendor=a b,other@x=2" });
  expect(readTraceParent(`00-${id}-${span}-00`, undefined)).toMatchObject({ isSampled: false, state: null });
  // Only the first bit is known.
  expect(readTraceParent(`00-${id}-${span}-fe`, undefined)?.isSampled).toBe(false);
  // A later version may say more behind what this one says.
  expect(readTraceParent(`cc-${id}-${span}-03-what-comes`, undefined)?.isSampled).toBe(true);
});

it.each([
  undefined,
  "",
  "00",
  `ff-${id}-${span}-01`,
  `${good}-more`,
  `${good} `,
  ` ${good}`,
  `${good}, ${good}`,
  good.toUpperCase(),
  `00-${"0".repeat(32)}-${span}-01`,
  `00-${id}-${"0".repeat(16)}-01`,
  `00-${id}-${span}-1`,
  `00-${id.slice(1)}-${span}-01`,
  `0-${id}-${span}-01`,
  `cc-${id}-${span}-03.what`,
  `00-${id}-${span}-01\n`,
  `00-${id.slice(1)}ü-${span}-01`,
  `cc-${id}-${span}-01-${"x".repeat(10_000)}`,
])("S-230: takes nothing else for one: %j", (header) => {
  expect(readTraceParent(header, "vendor=1")).toBeNull();
});

it.each([
  "Vendor=1",
  "vendor",
  "=1",
  "vendor=\u0001",
  "vendor=ü",
  "vendor=a=b",
  `vendor=${"x".repeat(257)}`,
  Array.from({ length: 33 }, (_, n) => `v${n}=1`).join(","),
  `vendor=1${",".repeat(600)}`,
  "",
  ",",
])("lets a wrong tracestate cost itself alone: %j", (state) => {
  expect(readTraceParent(good, state)).toMatchObject({ traceId: id, state: null });
});
