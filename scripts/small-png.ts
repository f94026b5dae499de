import { crc32, deflateSync, inflateSync } from "node:zlib";

/** Pixels of three bytes: red, green, blue. */
interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly rgb: Buffer;
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function* chunks(png: Buffer): Generator<{ type: string; data: Buffer }> {
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    yield { type: png.toString("latin1", at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) };
    at += 12 + length;
  }
}

/** The predictors of PNG's filters: what a byte is told from by those left of it, above it, and above left. */
function predict(filter: number, left: number, up: number, upLeft: number): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  if (filter !== 4) return 0;
  const [a, b, c] = [left, up, upLeft].map((one) => Math.abs(left + up - upLeft - one)) as [
    number,
    number,
    number,
  ];
  return a <= b && a <= c ? left : b <= c ? up : upLeft;
}

/** Reads what a browser writes: eight bits, RGB or RGBA, not interlaced. */
function readPng(png: Buffer): Pixels {
  const parts = [...chunks(png)];
  const head = parts[0]?.data;
  const [depth, colours, interlaced] = [head?.[8], head?.[9], head?.[12]];
  if (head === undefined || depth !== 8 || (colours !== 2 && colours !== 6) || interlaced !== 0)
    throw new Error("This is no picture as a browser takes it.");
  const [width, height] = [head.readUInt32BE(0), head.readUInt32BE(4)];
  const step = colours === 6 ? 4 : 3;
  const raw = inflateSync(Buffer.concat(parts.filter(({ type }) => type === "IDAT").map(({ data }) => data)));
  const line = width * step;
  const whole = Buffer.alloc(line * height);
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (line + 1)] ?? 0;
    for (let x = 0; x < line; x++) {
      const at = y * line + x;
      const left = x < step ? 0 : (whole[at - step] ?? 0);
      const up = y === 0 ? 0 : (whole[at - line] ?? 0);
      const upLeft = x < step || y === 0 ? 0 : (whole[at - line - step] ?? 0);
      whole[at] = ((raw[y * (line + 1) + 1 + x] ?? 0) + predict(filter, left, up, upLeft)) & 0xff;
    }
  }
  const rgb = Buffer.alloc(width * height * 3);
  for (let pixel = 0; pixel < width * height; pixel++)
    whole.copy(rgb, pixel * 3, pixel * step, pixel * step + 3);
  return { width, height, rgb };
}

/** How far two colours are from each other. */
const distance = (a: number, b: number) =>
  [16, 8, 0].reduce((sum, bits) => sum + (((a >> bits) & 255) - ((b >> bits) & 255)) ** 2, 0);

/** The most frequent colours, and of the others those that would suffer most without a place of their own. */
function choosePalette(counts: ReadonlyMap<number, number>): number[] {
  const byCount = [...counts].sort(([, a], [, b]) => b - a).map(([colour]) => colour);
  const palette = byCount.slice(0, 160);
  const left = byCount
    .slice(160)
    .map((colour) => ({ colour, off: Math.min(...palette.map((one) => distance(one, colour))) }));
  while (palette.length < 256 && left.length > 0) {
    const worst = left.reduce((a, b) => (b.off > a.off ? b : a));
    if (worst.off === 0) break;
    palette.push(worst.colour);
    for (const one of left) one.off = Math.min(one.off, distance(one.colour, worst.colour));
  }
  return palette;
}

/** The nearest of these colours. @returns its place */
function nearest(palette: readonly number[], colour: number): number {
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  palette.forEach((one, at) => {
    const off = distance(one, colour);
    if (off < least) [best, least] = [at, off];
  });
  return best;
}

function chunk(type: string, data: Buffer): Buffer {
  const whole = Buffer.alloc(12 + data.length);
  whole.writeUInt32BE(data.length, 0);
  whole.write(type, 4, "latin1");
  data.copy(whole, 8);
  whole.writeUInt32BE(crc32(whole.subarray(4, 8 + data.length)), 8 + data.length);
  return whole;
}

/** A browser's picture in 256 colours: half the size, and text as sharp. */
export function smallPng(png: Buffer): Buffer {
  const { width, height, rgb } = readPng(png);
  const colourAt = (pixel: number) => rgb.readUIntBE(pixel * 3, 3);
  const counts = new Map<number, number>();
  for (let pixel = 0; pixel < width * height; pixel++) {
    const colour = colourAt(pixel);
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const palette = choosePalette(counts);
  const places = new Map([...counts.keys()].map((colour) => [colour, nearest(palette, colour)]));
  // Each line begins with its filter: none.
  const lines = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) lines[y * (width + 1) + 1 + x] = places.get(colourAt(y * width + x)) ?? 0;
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 3], 8);
  const colours = Buffer.alloc(palette.length * 3);
  palette.forEach((colour, at) => {
    colours.writeUIntBE(colour, at * 3, 3);
  });
  return Buffer.concat([
    signature,
    chunk("IHDR", head),
    chunk("PLTE", colours),
    chunk("IDAT", deflateSync(lines, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
