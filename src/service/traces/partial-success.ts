import { z } from "zod";

/** How many spans a collector did not take of a request that it took, and why. */
export interface PartialSuccess {
  readonly rejected: number;
  readonly words: string;
}

/** What cannot be read says nothing: the spans were taken. */
const nothing: PartialSuccess = { rejected: 0, words: "" };

/** 64-bit numbers are text in the JSON of protobuf. */
const jsonAnswer = z.object({
  partialSuccess: z.object({
    rejectedSpans: z.coerce.number().int().min(0).default(0),
    errorMessage: z.string().default(""),
  }),
});

/** Reads an `ExportTraceServiceResponse` in JSON. */
export function readJsonAnswer(text: string): PartialSuccess {
  try {
    const { success, data } = jsonAnswer.safeParse(JSON.parse(text));
    return success
      ? { rejected: data.partialSuccess.rejectedSpans, words: data.partialSuccess.errorMessage }
      : nothing;
  } catch {
    return nothing;
  }
}

/** Reads the same in protobuf: field 1 is the partial success, of which 1 is the number and 2 the words. */
export function readProtobufAnswer(bytes: Uint8Array): PartialSuccess {
  const partial = fieldsOf(bytes).get(1);
  if (!(partial instanceof Uint8Array)) return nothing;
  const fields = fieldsOf(partial);
  const count = fields.get(1);
  const words = fields.get(2);
  return {
    rejected: typeof count === "number" ? count : 0,
    words: words instanceof Uint8Array ? Buffer.from(words).toString() : "",
  };
}

/** The last of each field that is a number or bytes; as far as the bytes can be read. */
function fieldsOf(bytes: Uint8Array): Map<number, number | Uint8Array> {
  const fields = new Map<number, number | Uint8Array>();
  let at = 0;
  const number = () => {
    let value = 0;
    for (let factor = 1; at < bytes.length; factor *= 0x80) {
      const byte = bytes[at++] ?? 0;
      value += (byte % 0x80) * factor;
      if (byte < 0x80) return value;
    }
    return Number.NaN;
  };
  while (at < bytes.length) {
    const tag = number();
    const [field, type] = [Math.floor(tag / 8), tag % 8];
    const value = number();
    if (type === 0 && Number.isSafeInteger(value)) fields.set(field, value);
    else if (type === 2 && at + value <= bytes.length) {
      fields.set(field, bytes.subarray(at, at + value));
      at += value;
    } else return fields;
  }
  return fields;
}
