import { expect, test } from "vitest";
import { onOneLine, printable } from "./printable.ts";

test("S-425: what a command prints gives the terminal no orders, and keeps lines, letters and marks", () => {
  expect(printable("Zoë 🙂\n\tnext \u001b[31mred\u009b1m\r\u202eback")).toBe(
    "Zoë 🙂\n\tnext \\u001b[31mred\\u009b1m\\u000d\\u202eback",
  );
  expect(onOneLine("a\nb\tc\u2029d")).toBe("a\\u000ab\\u0009c\\u2029d");
});
