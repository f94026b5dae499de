import type { z } from "zod";
import { isBlank } from "../../../contract/limits.ts";
import type { JsonObject } from "../../json.ts";
import type { ToolOutcome } from "./tool.ts";

/** Reads a model's arguments; what is wrong with them is a sentence for the model, which can do better. */
export function readArguments<T>(
  schema: z.ZodType<T>,
  args: JsonObject,
): { readonly ok: true; readonly value: T } | { readonly ok: false; readonly outcome: ToolOutcome } {
  const parsed = schema.safeParse(args);
  if (parsed.success) return { ok: true, value: parsed.data };
  const [issue] = parsed.error.issues;
  const field = issue?.path.join(".") || "arguments";
  return { ok: false, outcome: { type: "failed", error: `${field}: ${issue?.message ?? "not valid"}` } };
}

/** @returns why a text cannot be the name of a file, or null */
export function invalidFileName(name: string): string | null {
  if (isBlank(name) || name === "." || name === "..") return "name is empty";
  if (Buffer.byteLength(name) > 255) return "name is longer than 255 bytes";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\u0000-\u001f\u007f/\\]/.test(name)) return "name must not hold /, \\ or control characters";
  return null;
}
