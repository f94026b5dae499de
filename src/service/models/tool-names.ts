import { createHash } from "node:crypto";

/** What every provider takes as the name of a tool. */
const plain = /^[A-Za-z0-9_-]{1,64}$/;

/** Characters of the mark that tells names apart which look alike: 80 bits. */
const markLength = 16;

/**
 * The name under which a provider is told of a tool. It depends on nothing but the tool's own name, so that it is the same
 * in each turn, in each process, and whatever other tools there are. A name that providers do not take becomes a readable
 * beginning and a mark; without `__` in it, so that it is never that of another tool: tools of MCP servers have it in
 * theirs, and no built-in name ends in a mark.
 */
export function providerToolName(name: string): string {
  if (plain.test(name)) return name;
  const digest = createHash("sha256").update(name).digest("hex");
  const mark = BigInt(`0x${digest}`).toString(36).padStart(markLength, "0").slice(-markLength);
  const beginning = name
    .replaceAll(/[^A-Za-z0-9-]+/g, "_")
    .slice(0, 64 - markLength - 1)
    .replace(/_$/, "");
  return `${beginning}_${mark}`;
}
