import type { Logger } from "pino";
import type { ErrorCode } from "../../contract/errors.ts";
import type { Caller } from "../areas/handler.ts";
import type { Ids } from "../context.ts";
import type { Meters } from "../meters.ts";
import type { ServiceError } from "../service-error.ts";
import { sentenceOf } from "../store/store-error.ts";
import { readTraceParent } from "../traceparent.ts";

/** What records are made from. */
export interface RecordParts {
  readonly ids: Ids;
  readonly log: Logger;
  /** The same log, from `linesOf`. */
  readonly lines: Logger;
  readonly meters?: Meters | undefined;
}

/** The log without its look for secrets: the line of a request has ids, names and numbers of ours and nothing else. */
export function linesOf(log: Logger): Logger {
  return log.child({}, { redact: [] });
}

/**
 * One line of the log for one request: id, endpoint or route pattern, status, milliseconds, and which credential by id.
 * Never the address as sent, a header or a body: each of them may hold a secret.
 */
export class RequestRecord {
  readonly id: string;
  readonly #parts: RecordParts;
  readonly #started = performance.now();
  readonly #route: string;
  readonly #facts: Record<string, unknown>;

  readonly #isTold: (status: number) => boolean;

  /**
   * @param route the endpoint's name, or the router's pattern
   * @param isTold whether a request with this status has a line; default each has
   */
  constructor(
    parts: RecordParts,
    method: string,
    route: string,
    isTold: (status: number) => boolean = () => true,
  ) {
    this.#isTold = isTold;
    this.id = parts.ids.make("req");
    this.#parts = parts;
    this.#route = route;
    this.#facts = { requestId: this.id, method, route };
  }

  /** For lines about this request. Made when somebody asks: most requests have one line only, their own. */
  get log(): Logger {
    return this.#parts.log.child({ requestId: this.id });
  }

  /** The trace that the caller named, where it named one. @param traceparent as it came */
  named(traceparent: string | undefined): void {
    const trace = readTraceParent(traceparent, undefined);
    if (trace !== null) this.#facts.trace_id = trace.traceId;
  }

  identify(caller: Caller): void {
    this.#facts.credential = caller.credentialId;
  }

  /**
   * What is ours to repair comes into the log with its whole cause; a database that is away with a sentence. That the
   * service is still starting, or a caller is wrong, is in the line of the request.
   */
  fail(code: ErrorCode, error: ServiceError, status: number): void {
    this.#facts.error = code;
    const { cause } = error.facts;
    if (code === "unavailable") {
      if (cause !== undefined) this.log.warn({ reason: sentenceOf(cause) }, "a request could not be served");
    } else if (status >= 500) this.log.error({ err: cause ?? error }, "a request failed");
  }

  /** Writes the line. */
  end(status: number): void {
    const took = performance.now() - this.#started;
    this.#parts.meters?.request(this.#route, status, took / 1_000);
    const ms = Math.round(took * 10) / 10;
    this.#facts.status = status;
    this.#facts.ms = ms;
    if (this.#isTold(status)) this.#parts.lines.info(this.#facts, "request");
  }
}
