import { grouped } from "./words.ts";

/** With at most so many decimal places, as the language has it. */
export const decimal = (value: number, places: number): string => grouped(Number(value.toFixed(places)));

/** "38.4"; credits are small numbers with at most two places. */
export const formatCredits = (credits: number): string => decimal(credits, 2);

/** "38.4 credits"; one of it is "1 credit". */
export function creditWords(credits: number): string {
  const shown = formatCredits(credits);
  return `${shown} ${shown === "1" ? "credit" : "credits"}`;
}

/** "820 tokens", "38.4k tokens", "1.2M tokens" */
export function tokenWords(tokens: number): string {
  const [size, unit] = tokens >= 999_950 ? [1_000_000, "M"] : tokens >= 1_000 ? [1_000, "k"] : [1, ""];
  return `${decimal(tokens / size, 1)}${unit} ${tokens === 1 ? "token" : "tokens"}`;
}
