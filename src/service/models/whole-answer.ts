import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import { eachObject } from "./call-arguments.ts";

/** A body that came whole, although a stream was asked for, as the stream that it would have been. */
export function asStream(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let text = "";
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(piece) {
        text += decoder.decode(piece, { stream: true });
      },
      flush(controller) {
        controller.enqueue(encoder.encode(streamOf(text + decoder.decode())));
      },
    }),
  );
}

/** As it came where it is no answer of the chat protocol. */
function streamOf(text: string): string {
  try {
    const answer: JsonValue = JSON.parse(text);
    if (!isJsonObject(answer) || !Array.isArray(answer.choices)) return text;
    const piece = {
      ...answer,
      choices: eachObject(answer.choices, ({ message, ...rest }) => withDelta(rest, message)),
    };
    return `data: ${JSON.stringify(piece)}\n\ndata: [DONE]\n\n`;
  } catch {
    return text;
  }
}

function withDelta(choice: JsonObject, message: JsonValue | undefined): JsonObject {
  if (!isJsonObject(message)) return choice;
  // Of an answer in pieces each says which call it belongs to.
  const calls = eachObject(message.tool_calls, (call, index) => ({ ...call, index }));
  return { ...choice, delta: { ...message, tool_calls: calls } };
}
