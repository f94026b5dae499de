import { toolWords } from "../../contract/command.ts";
import { isJsonObject, type JsonObject } from "../json.ts";
import type { ModelAnswer, ModelMessage, ModelRequest, ToolAnswer, ToolCall } from "./types.ts";

const introduction = [
  "I am builtin/offline, the model that comes with Wheelhouse. I do not understand language. In the console, choose one of",
  "the prompts beside the message; from a program, send lines of the form /tool_name {json}. I obey them in order, and",
  "answer everything else with this text.",
].join(" ");

const howToConnect = [
  "To talk to a real model, start the service with OPENAI_API_KEY or ANTHROPIC_API_KEY set, or with",
  "WHEELHOUSE_OPENAI_COMPATIBLE_URL and WHEELHOUSE_OPENAI_COMPATIBLE_MODELS for any server that speaks the OpenAI",
  "protocol. Then choose that model for this agent.",
].join(" ");

/** With `s`: JSON may hold U+2028 as it is, and what stops `.` has each of many blanks before it tried. */
const command = /^\/([A-Za-z0-9_.-]+)(?:\s+(.*))?$/s;
const shownCharacters = 2000;

type Line =
  | { readonly type: "call"; readonly name: string; readonly args: JsonObject }
  | { readonly type: "problem"; readonly text: string };

/**
 * Answers as the built-in model: deterministic, and never an imitation of intelligence. First all commands of the
 * newest message as tool calls; once they are answered, a plain list of what each of them said.
 */
export function answerOffline(request: Pick<ModelRequest, "messages" | "tools">): ModelAnswer {
  const start = request.messages.findLastIndex((message) => message.role === "user");
  const message = request.messages[start];
  const text = message?.role === "user" ? message.text : "";
  const names = request.tools.map((tool) => tool.name);
  const lines = readLines(text, names);
  const calls = lines.filter((line) => line.type === "call");
  const answers = request.messages.slice(start + 1).flatMap(answersOf);
  if (calls.length > 0 && answers.length === 0) {
    const toolCalls = calls.map((call, index): ToolCall => ({ id: `call_${index + 1}`, ...pick(call) }));
    return answer("", toolCalls, text);
  }
  if (lines.length === 0) return answer(`${introduction}\n\n${toolList(names)}\n\n${howToConnect}`, [], text);
  return answer(report(lines, answers), [], text);
}

function pick({ name, args }: Extract<Line, { type: "call" }>) {
  return { name, args };
}

function answersOf(message: ModelMessage): readonly ToolAnswer[] {
  return message.role === "tool" ? message.answers : [];
}

function readLines(text: string, names: readonly string[]): Line[] {
  const lines: Line[] = [];
  // A tool may be named by any characters, also by spaces: then its name is what the line begins with.
  const odd = names.filter((name) => /[^A-Za-z0-9_.-]/.test(name)).toSorted((a, b) => b.length - a.length);
  for (const line of text.split(/\r?\n/).map((each) => each.trim())) {
    const known = odd.find((name) => line === `/${name}` || line.startsWith(`/${name} `));
    const [, name, json] =
      known === undefined ? (command.exec(line) ?? []) : [line, known, line.slice(known.length + 2)];
    if (name !== undefined) lines.push(readCommand(name, json || "{}", names));
  }
  return lines;
}

function readCommand(name: string, json: string, names: readonly string[]): Line {
  if (!names.includes(name)) {
    return { type: "problem", text: `/${name}: this agent has no such tool. ${toolList(names)}` };
  }
  try {
    const args: unknown = JSON.parse(json);
    if (isJsonObject(args)) return { type: "call", name, args };
  } catch {
    // The sentence below says it.
  }
  return { type: "problem", text: `/${name}: what follows is no JSON object on the same line.` };
}

function toolList(names: readonly string[]): string {
  return names.length === 0 ? "This agent has no tools." : `Tools of this agent: ${names.join(", ")}.`;
}

function report(lines: readonly Line[], answers: readonly ToolAnswer[]): string {
  let next = 0;
  const sentences = lines.map((line) => {
    if (line.type === "problem") return line.text;
    const result = answers[next++];
    if (result === undefined) return `/${line.name}: was not run.`;
    const said = resultWords(result.result);
    const shown = said.length > shownCharacters ? `${said.slice(0, shownCharacters)}…` : said;
    return `${toolWords(line.name)}: ${result.failed ? "failed" : "done"}. ${shown}`;
  });
  return sentences.join("\n");
}

/** What a call gave, for people: a text as it is, an object field by field. */
function resultWords(result: unknown): string {
  const textOf = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
  if (!isJsonObject(result)) return textOf(result);
  return Object.entries(result)
    .map(([name, value]) => `${name}: ${textOf(value)}`)
    .join(", ");
}

function answer(text: string, toolCalls: readonly ToolCall[], read: string): ModelAnswer {
  const usage = { input_tokens: words(read), output_tokens: words(text) };
  return { text, reasoning: null, toolCalls, finish: toolCalls.length > 0 ? "tools" : "stop", usage };
}

/** The built-in model has no tokens: it counts words, so that equal messages always cost the same. */
function words(text: string): number {
  return text.split(/\s+/).filter((word) => word !== "").length;
}
