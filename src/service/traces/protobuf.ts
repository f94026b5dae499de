/** What a message consists of. */
export type Parts = readonly Buffer[];

/** Groups of seven bits, the lowest first. */
function bits(value: number): Buffer {
  const bytes: number[] = [];
  let left = value;
  while (left >= 0x80) {
    bytes.push((left % 0x80) | 0x80);
    left = Math.floor(left / 0x80);
  }
  return Buffer.from([...bytes, left]);
}

/** How protobuf says how a field is to be read. */
const wire = { varint: 0, eightBytes: 1, length: 2, fourBytes: 5 } as const;
const tag = (field: number, type: number) => bits(field * 8 + type);

/** @param value a whole number from 0 that is safe */
export const varint = (field: number, value: number) => Buffer.concat([tag(field, wire.varint), bits(value)]);

/** A field that is a message of its own, or bytes. */
export function part(field: number, parts: Parts): Buffer {
  const content = whole(parts);
  return Buffer.concat([tag(field, wire.length), bits(content.length), content]);
}

/** A field that is a string. */
export const text = (field: number, value: string) => part(field, [Buffer.from(value)]);

/** A field of eight bytes, as OTLP has times. @param value from 0 to 2^64 - 1 */
export function fixed64(field: number, value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return Buffer.concat([tag(field, wire.eightBytes), bytes]);
}

/** A field of four bytes, as OTLP has flags. @param value from 0 to 2^32 - 1 */
export function fixed32(field: number, value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return Buffer.concat([tag(field, wire.fourBytes), bytes]);
}

/** The bytes of a message, or of fields that follow each other. */
export const whole = (parts: Parts) => Buffer.concat(parts);
