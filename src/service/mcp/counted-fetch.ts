import { randomInt } from "node:crypto";
import { jsonLimits } from "../json.ts";
import { OutgoingError } from "../outgoing/outgoing-error.ts";
import { isStream } from "./fetches.ts";

type Fetch = typeof globalThis.fetch;

/**
 * The same fetch, whose answers break off where they have more values or different keys than can be read at once: of one
 * answer, or one event of a stream.
 */
export function countingValues(fetch: Fetch): Fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (!response.body) return response;
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(counting(isStream(headers))), {
      status,
      statusText,
      headers,
    });
  };
}

const [lineFeed, carriageReturn, space, tab] = [0x0a, 0x0d, 0x20, 0x09];
const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openList, openObject, closeList, closeObject] = [0x5b, 0x7b, 0x5d, 0x7d];

/** What keys are told apart by, so that nobody outside can find two for which it is the same: odd, and of this process. */
const oddNumber = () => randomInt(2 ** 24, 2 ** 31) | 1;
const factors = [oddNumber(), oddNumber()] as const;

/** Counts values outside of strings, and different keys, over the borders of pieces: each comma is before one, and so is a bracket that is not empty. */
function counting(streams: boolean): TransformStream<Uint8Array, Uint8Array> {
  let values = 0;
  let isInString = false;
  let isEscaped = false;
  let isOpened = false;
  let isLineEmpty = true;
  let before = 0;
  let [first, second] = [0, 0];
  const keys = new Set<number>();

  function count(byte: number): void {
    if (isInString) {
      first = Math.imul(first ^ byte, factors[0]) + 1;
      second = Math.imul(second, factors[1]) + byte;
      if (isEscaped) isEscaped = false;
      else if (byte === backslash) isEscaped = true;
      else if (byte === quote) isInString = false;
      return;
    }
    if (byte === space || byte === tab) return;
    if (isOpened && byte !== closeList && byte !== closeObject) values++;
    isOpened = byte === openList || byte === openObject;
    if (byte === comma) values++;
    else if (byte === quote) {
      isInString = true;
      first = second = 0;
    } else if (byte === colon) keys.add((first >>> 0) * 2 ** 20 + (second >>> 12));
  }

  /** No string of JSON goes over the end of a line, whatever a stream says beside its events. */
  function endLine(): void {
    isInString = isEscaped = false;
    if (streams && isLineEmpty) {
      values = 0;
      keys.clear();
      isOpened = false;
    }
    isLineEmpty = true;
  }

  return new TransformStream({
    transform(piece, controller) {
      for (const byte of piece) {
        // A stream may end its lines with either or both.
        if (byte === carriageReturn || (byte === lineFeed && before !== carriageReturn)) endLine();
        else if (byte !== lineFeed) {
          isLineEmpty = false;
          count(byte);
        }
        before = byte;
      }
      if (values >= jsonLimits.values)
        throw new OutgoingError(
          "too_large",
          `the answer has more than ${jsonLimits.values.toLocaleString("en")} values`,
        );
      if (keys.size > jsonLimits.keys)
        throw new OutgoingError(
          "too_large",
          `the answer has more than ${jsonLimits.keys.toLocaleString("en")} different keys`,
        );
      controller.enqueue(piece);
    },
  });
}
