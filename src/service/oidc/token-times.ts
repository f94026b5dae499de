import { formatDuration, momentText } from "../../contract/duration.ts";
import { ProviderError } from "./provider-error.ts";

/** Milliseconds by which the provider's clock may be wrong. */
export const toleranceMs = 300_000;

/** Between which moments of the database's clock a token must have been issued. */
export interface AskedFor {
  /** When the sign-in was begun, or the renewal asked for. */
  readonly from: Date;
  /** When the token had come. */
  readonly to: Date;
  /** It names this sign-in (nonce): then it was made for it, and cannot be one from before. */
  readonly isOwn: boolean;
}

/** What a token says of its time; all of it is the provider's. */
export interface TokenTimes {
  readonly iat?: unknown;
  readonly nbf?: unknown;
  readonly exp?: unknown;
}

/**
 * Whether a token is dated in the future, which no token is by clocks that agree.
 * @returns what to refuse it with; null where it is not
 */
export function issuedInFuture({ iat }: TokenTimes, { to }: AskedFor): ProviderError | null {
  const aheadMs = msOf(iat) - to.getTime();
  if (!(aheadMs > toleranceMs)) return null;
  return new ProviderError(
    "skew",
    `Its token was issued in the future: its clock and the clock of Wheelhouse’s database differ by ${formatDuration(aheadMs)} or more, and its own is ahead.`,
  );
}

/**
 * Why a token is refused for its time. Where clocks differ that is said; where it cannot be told from an end, both are.
 * @param cause for the log
 */
export function refusedForItsTime(times: TokenTimes, asked: AskedFor, cause: unknown): ProviderError {
  const [iat, nbf, exp] = [msOf(times.iat), msOf(times.nbf), msOf(times.exp)];
  const { from, to, isOwn } = asked;
  const future = issuedInFuture(times, asked);
  if (future) return new ProviderError(future.kind, future.message, cause);
  if (nbf > to.getTime()) {
    const words = `Its token is not valid before ${at(nbf)}, in ${formatDuration(nbf - to.getTime())}.`;
    return new ProviderError("invalid", words, cause);
  }
  if (!(exp <= to.getTime()))
    return new ProviderError("invalid", "Its token names times that cannot be.", cause);
  const ended = `Its token ended at ${at(exp)}, ${formatDuration(to.getTime() - exp)} ago`;
  const behindMs = from.getTime() - iat;
  if (!(behindMs > toleranceMs)) {
    const lasted = exp > iat ? `, and was for ${formatDuration(exp - iat)}` : "";
    const words = `${ended}${lasted}: it came too late, or its clock is behind the clock of Wheelhouse’s database.`;
    return new ProviderError("expired", words, cause);
  }
  const behind = `its clock is ${formatDuration(behindMs)} or more behind the clock of Wheelhouse’s database`;
  // A renewal has nothing of ours in it.
  if (!isOwn) return new ProviderError("expired", `${ended}: it is one from before, or ${behind}.`, cause);
  return new ProviderError("skew", `Its token was issued before this sign-in was begun: ${behind}.`, cause);
}

/** NaN for anything but seconds since 1970 of a year that can be written. */
function msOf(seconds: unknown): number {
  const ms = typeof seconds === "number" ? seconds * 1_000 : Number.NaN;
  return Math.abs(ms) < 250_000_000_000_000 ? ms : Number.NaN;
}

const at = (ms: number): string => momentText(new Date(ms));
