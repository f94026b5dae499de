/**
 * Why an outgoing request came to nothing:
 * - `invalid`: the address or a header cannot be used
 * - `refused`: it leads, or was redirected, to an address that is not public
 * - `unreachable`: no connection, or it broke
 * - `too_large`: body or headers are over the limit
 * - `redirects`: more than five, or one that would carry a request with a body to another host
 */
export type OutgoingErrorKind = "invalid" | "refused" | "unreachable" | "too_large" | "redirects";

/** The message is a plain sentence without secrets: it names the host, never the path or the query. */
export class OutgoingError extends Error {
  override readonly name = "OutgoingError";
  readonly kind: OutgoingErrorKind;

  constructor(kind: OutgoingErrorKind, message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }

  /** Whether the same request may work a moment later. */
  get passing(): boolean {
    return this.kind === "unreachable";
  }
}

const sentences: Readonly<Record<string, string>> = {
  ENOTFOUND: "could not be resolved",
  EAI_AGAIN: "could not be resolved right now",
  ECONNREFUSED: "refused the connection",
  ECONNRESET: "closed the connection",
  UND_ERR_SOCKET: "closed the connection",
  UND_ERR_CONNECT_TIMEOUT: "did not accept the connection in time",
  UND_ERR_HEADERS_TIMEOUT: "did not answer in time",
  UND_ERR_BODY_TIMEOUT: "stopped sending in the middle of its answer",
};

/**
 * Turns what the client threw into a kind and a sentence. Aborts pass as they are.
 * @param otherwise what became of the host where nothing else is known
 */
export function toOutgoingError(error: unknown, host: string, otherwise = "could not be reached"): unknown {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof OutgoingError) return cause;
    if (cause.name === "AbortError" || cause.name === "TimeoutError") return error;
    const code = "code" in cause && typeof cause.code === "string" ? cause.code : "";
    if (code === "UND_ERR_HEADERS_OVERFLOW" || code === "HPE_HEADER_OVERFLOW") {
      return new OutgoingError("too_large", `${host} answered with more than 64 KB of headers`, error);
    }
    if (code === "UND_ERR_INVALID_ARG") {
      return new OutgoingError("invalid", `the request to ${host} holds a header that cannot be sent`, error);
    }
    // Of zlib's own codes, and of those that it has for Brotli.
    const sentence = /^(?:Z_|ERR__)/.test(code) ? "sent an answer that cannot be unpacked" : sentences[code];
    if (sentence) return new OutgoingError("unreachable", `${host} ${sentence}`, error);
  }
  return new OutgoingError("unreachable", `${host} ${otherwise}`, error);
}
