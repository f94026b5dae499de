import type { PlaceKind } from "../../contract/search.ts";
import type { StoredMessage } from "../agents/conversation.ts";
import type { StoredPart } from "../agents/parts.ts";
import { isJsonObject, type JsonValue, textOf } from "../json.ts";
import type { LogLine } from "../store/log-rows.ts";

/** A text that can be found, and where it stands. */
export interface PlacedText {
  readonly in: PlaceKind;
  /** Of an input, output, tool or node. */
  readonly name?: string;
  /** Of the log, from 1. */
  readonly line?: number;
  readonly part?: string;
  readonly text: string;
}

/** Of one value so many characters are searched. */
const searched = 1_000_000;

/** What an ended run says beside its log. */
export interface RunTexts {
  readonly name: string;
  readonly inputs: JsonValue;
  readonly outputs: JsonValue;
  readonly error: string | null;
  readonly files: readonly string[];
}

/** Where in a run a text can be found, in the order in which it is looked for. */
export function runPlaces({ name, inputs, outputs, error, files }: RunTexts): PlacedText[] {
  return [
    { in: "name", text: name },
    ...values("input", inputs),
    ...values("output", outputs),
    ...(error === null ? [] : [{ in: "error", text: error } as const]),
    ...files.map((text): PlacedText => ({ in: "file", text })),
  ];
}

const stamped = /^\d{4}-\d\d-\d\dT[\d:.]+Z \[([^\]]*)\] /;

/** The line without its time, which nobody searches and which is another one in each line. */
export function linePlace({ seq, text }: LogLine): PlacedText {
  const [stamp = "", name] = stamped.exec(text) ?? [];
  return { in: "log", line: seq, ...(name !== undefined && { name }), text: text.slice(stamp.length) };
}

/** The same of a message: of what a person wrote its text alone, of an answer its parts in their order. */
export function messagePlaces(message: Pick<StoredMessage, "role" | "content" | "parts">): PlacedText[] {
  if (message.role === "user") return [{ in: "message", text: message.content ?? "" }];
  return message.parts.flatMap(partPlaces);
}

function partPlaces(part: StoredPart): PlacedText[] {
  switch (part.type) {
    case "text":
      return [{ in: "message", part: part.id, text: part.text }];
    case "reasoning":
      return [{ in: "reasoning", part: part.id, text: part.reasoning }];
    case "error":
      return [{ in: "error", part: part.id, text: part.error }];
    case "file":
      return [{ in: "file", part: part.id, text: part.file.filename }];
    case "tool_invocation": {
      const of = { name: part.toolName, part: part.id };
      return [
        { in: "tool", ...of, text: part.toolName },
        { in: "arguments", ...of, text: shown(part.result.args) },
        { in: "result", ...of, text: shown(part.result.result) },
      ];
    }
    case "notice":
      return [];
  }
}

function values(kind: "input" | "output", given: JsonValue): PlacedText[] {
  if (!isJsonObject(given)) return [];
  return Object.entries(given).map(([name, value]) => ({ in: kind, name, text: shown(value) }));
}

const shown = (value: JsonValue) => textOf(value).slice(0, searched);
