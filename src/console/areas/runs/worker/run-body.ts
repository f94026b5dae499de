import type { Received } from "../../../../contract/define.ts";
import { getRun, type Run, run as runSchema } from "../../../../contract/run.ts";
import { ConsoleError } from "../../../api/errors.ts";
import { type Opened, parseJson } from "../../../api/exchange.ts";
import { type Damage, receive } from "../../../api/receive.ts";
import { BodyScanner, type LineSink } from "./body-scanner.ts";

/** A run without its log: what crosses over at each read. */
export type RunFields = Received<Omit<Run, "log">>;

/** A run's answer without its log, which went to the sink line by line. */
export interface RunBody {
  readonly data: RunFields;
  readonly damage: readonly Damage[];
  /** Bytes of the whole answer. */
  readonly size: number;
}

/**
 * Reads the body of `get_pl_run` (§4.4) while it arrives; its lines go to `sink`.
 * @throws ConsoleError for an answer that is cut off, no JSON, or no run
 */
export async function readRunBody(opened: Opened, sink: LineSink): Promise<RunBody> {
  const scanner = await scan(opened, sink);
  const json = parseJson(getRun.name, scanner.rest(), opened);
  const { data, damage } = receive(runSchema, json);
  if (data === undefined) {
    const { requestId } = opened.envelope;
    throw new ConsoleError({ kind: "contract", path: "", requestId }, getRun.name);
  }
  const { log, ...rest } = data;
  // Written in a way that the scanner does not know (an escaped key): rare, so simply read.
  if (Array.isArray(log) && log.length > 0) {
    new BodyScanner(sink).push(new TextEncoder().encode(JSON.stringify({ log })));
  }
  return { data: rest as RunFields, damage, size: scanner.size };
}

async function scan(opened: Opened, sink: LineSink): Promise<BodyScanner> {
  const scanner = new BodyScanner(sink);
  const reader = opened.response.body?.getReader();
  try {
    for (;;) {
      const part = await reader?.read();
      if (!part || part.done) return scanner;
      scanner.push(part.value);
    }
  } catch (error) {
    throw opened.failed(error);
  }
}
