/** "38.4"; credits are small numbers with at most two places. */
export const formatCredits = (credits: number): string =>
  credits.toLocaleString("en-GB", { maximumFractionDigits: 2 });

/** "38.4 credits"; one of it is "1 credit". */
export const creditWords = (credits: number): string =>
  `${formatCredits(credits)} ${credits === 1 ? "credit" : "credits"}`;

/** "820 tokens", "38.4k tokens", "1.2M tokens" */
export function tokenWords(tokens: number): string {
  const [size, unit] = tokens >= 999_950 ? [1_000_000, "M"] : tokens >= 1_000 ? [1_000, "k"] : [1, ""];
  const shown = (tokens / size).toLocaleString("en-GB", { maximumFractionDigits: 1 });
  return `${shown}${unit} ${tokens === 1 ? "token" : "tokens"}`;
}
