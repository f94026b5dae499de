import { createHash } from "node:crypto";

/**
 * Spans are known by keys within their execution, and their ids follow from them: whoever does the work can name its span
 * before there is one, and a span that is made again is the same one.
 */

/** Of the whole execution. */
export const wholeKey = "";
/** Of a node of a flow. */
export const nodeKey = (node: string) => `node ${node}`;
/** Of one item of an `each`. @param index from 0 */
export const itemKey = (node: string, index: number) => `node ${node} ${index}`;
/** Of a node, or of the item of it, that a step of a run belongs to: `id`, `id/ask`, `id/3`, `id/3/run`. */
export function keyOfNodeStep(step: string): string {
  const [node = "", index = ""] = step.split("/");
  return /^\d+$/.test(index) ? itemKey(node, Number(index)) : nodeKey(node);
}
/** @param number of the model's answer in its turn, from 1 @param attempt from 1 */
export const modelKey = (number: number, attempt: number) => `model ${number} ${attempt}`;
/** @param number of the answer that asks for it @param index of the call in the answer, from 0 */
export const toolKey = (number: number, index: number) => `tool ${number} ${index}`;

/** The key of the span in which a step of an execution started another one. */
export function keyOfStep(kind: string, step: string): string {
  if (kind === "pipeline") return keyOfNodeStep(step);
  const [, number, index] = /^tool (\d+) (\d+)/.exec(step) ?? [];
  return number === undefined ? wholeKey : toolKey(Number(number), Number(index));
}

/** @returns 16 hexadecimal digits */
export function spanIdOf(executionId: string, key: string): string {
  return hashOf(`span ${executionId} ${key}`).slice(0, 16);
}

/** Of an execution of which no caller said a trace. @returns 32 hexadecimal digits */
export function traceIdOf(executionId: string): string {
  return hashOf(`trace ${executionId}`).slice(0, 32);
}

const hashOf = (text: string) => createHash("sha256").update(text).digest("hex");
