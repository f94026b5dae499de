/** A colour in linear sRGB, each part from 0 to 1. */
export type Colour = { red: number; green: number; blue: number };

/**
 * The tokens of one block of a stylesheet, such as `[data-theme="dark"]`: name without dashes → value. Comments are left
 * out. Throws when the block does not exist or names a token twice.
 */
export function tokensOf(css: string, selector: string): Map<string, string> {
  const bare = css.replaceAll(/\/\*[\s\S]*?\*\//g, "");
  const start = bare.indexOf(`${selector} {`);
  if (start < 0) throw new Error(`no block ${selector}`);
  const block = bare.slice(bare.indexOf("{", start) + 1, bare.indexOf("}", start));
  const tokens = new Map<string, string>();
  for (const [, name = "", value = ""] of block.matchAll(/--([\w-]+):\s*([^;]+);/g)) {
    if (tokens.has(name)) throw new Error(`${name} is defined twice in ${selector}`);
    tokens.set(name, value.trim());
  }
  return tokens;
}

/** Reads `oklch(L C H)` or `oklch(L C H / A)` with plain numbers in their ranges; throws on anything else. Ignores alpha. */
export function parseOklch(value: string): Colour {
  const match = /^oklch\((\d*\.?\d+) (\d*\.?\d+) (\d*\.?\d+)(?: \/ (\d*\.?\d+))?\)$/.exec(value);
  if (!match) throw new Error(`not an oklch colour: ${value}`);
  const [lightness = Number.NaN, chroma = Number.NaN, hue = Number.NaN] = match.slice(1, 4).map(Number);
  const alpha = match[4] === undefined ? 1 : Number(match[4]);
  if (lightness > 1 || chroma > 0.4 || hue > 360 || alpha > 1) throw new Error(`out of range: ${value}`);
  return linear(
    lightness,
    chroma * Math.cos((hue * Math.PI) / 180),
    chroma * Math.sin((hue * Math.PI) / 180),
  );
}

/** OKLab to linear sRGB (the matrices of CSS Color 4), cut to what a screen can show. */
function linear(lightness: number, a: number, b: number): Colour {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const cut = (part: number) => Math.min(1, Math.max(0, part));
  return {
    red: cut(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    green: cut(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    blue: cut(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  };
}

/** The contrast of two colours as WCAG 2 counts it, from 1 to 21. */
export function contrast(one: Colour, other: Colour): number {
  const luminance = ({ red, green, blue }: Colour) => 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  const [low = 0, high = 0] = [luminance(one), luminance(other)].toSorted((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}
