import { OutgoingError } from "../outgoing/outgoing-error.ts";

type Fetch = typeof globalThis.fetch;

/** Of one answer, or one event of a stream: with more, all else would stand while the SDK reads it. */
const mostValues = 500_000;

/** The same fetch, whose answers break off where they have more values than can be read at once. */
export function countingValues(fetch: Fetch): Fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (!response.body) return response;
    const { status, statusText, headers } = response;
    const streams = headers.get("content-type")?.startsWith("text/event-stream") ?? false;
    return new Response(response.body.pipeThrough(counting(streams)), { status, statusText, headers });
  };
}

/** Counts what begins a value: commas and brackets outside of strings, over the borders of pieces. */
function counting(streams: boolean): TransformStream<Uint8Array, Uint8Array> {
  let values = 0;
  let isInString = false;
  let isEscaped = false;
  let isLineEmpty = true;
  return new TransformStream({
    transform(piece, controller) {
      for (const byte of piece) {
        if (byte === 0x0a) {
          // No string of JSON goes over the end of a line, whatever a stream says beside its events.
          isInString = isEscaped = false;
          if (streams && isLineEmpty) values = 0;
          isLineEmpty = true;
          continue;
        }
        if (byte !== 0x0d) isLineEmpty = false;
        if (isEscaped) isEscaped = false;
        else if (isInString && byte === 0x5c) isEscaped = true;
        else if (byte === 0x22) isInString = !isInString;
        else if (!isInString && (byte === 0x2c || byte === 0x5b || byte === 0x7b)) values++;
      }
      if (values > mostValues)
        throw new OutgoingError("too_large", "the answer has more than 500,000 values");
      controller.enqueue(piece);
    },
  });
}
