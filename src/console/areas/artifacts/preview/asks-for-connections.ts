import { textOf } from "../read-file.ts";

/**
 * Whether a page could ask the browser to look up or connect to other hosts by its mere markup (`rel=preconnect`,
 * `rel=dns-prefetch`): the one thing that neither its sandbox nor its policy forbids (C-06). Looks for the words anywhere,
 * also written in character references, so that it errs on the safe side.
 */
export function asksForConnections(bytes: Uint8Array): boolean {
  const text = textOf(bytes)
    .replaceAll(/&#(?:x0*([0-9a-f]{1,6})|0*(\d{1,7}));?/gi, (whole, hex?: string, decimal?: string) => {
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code > 0 && code < 0x110000 ? String.fromCodePoint(code) : whole;
    })
    .toLowerCase();
  return /preconnect|dns-prefetch/.test(text);
}
