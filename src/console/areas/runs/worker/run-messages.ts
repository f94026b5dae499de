import type { Received } from "../../../../contract/define.ts";
import type { Run } from "../../../../contract/run.ts";
import type { Failure } from "../../../api/errors.ts";
import type { Envelope } from "../../../api/exchange.ts";
import type { PlainAnswer } from "../../../api/plain-answer.ts";
import type { Damage } from "../../../api/receive.ts";
import type { PlainRequest } from "../../../api/request.ts";
import type { LineBlock } from "./body-scanner.ts";
import type { LogFacts } from "./log-reading.ts";
import type { LogQuery } from "./log-search.ts";
import type { LogChange } from "./run-log.ts";

/** A run without its log: what crosses over at each read. */
export type RunFields = Received<Omit<Run, "log">>;

/** From the page to the worker. The request carries the credential, in memory only. */
export type ToWorker =
  | {
      readonly type: "read";
      readonly id: number;
      readonly runId: string;
      readonly request: PlainRequest;
      /**
       * The `id` of the read whose answer the page holds; null for none. An answer can be lost on the way (the page had
       * stopped waiting), and a patch to it would not fit.
       */
      readonly have: number | null;
      readonly timeoutMs: number;
      /** What another tab was answered, to be read instead of asking; null: the service is asked. */
      readonly given: PlainAnswer | null;
      /** What the service answers goes back as well, so that other tabs can be given it. */
      readonly isCopied: boolean;
    }
  | { readonly type: "search"; readonly id: number; readonly runId: string; readonly query: LogQuery }
  | { readonly type: "abort"; readonly id: number }
  | { readonly type: "forget"; readonly runId: string };

/** From the worker to the page. */
export type FromWorker =
  | {
      readonly type: "unchanged";
      readonly id: number;
      readonly envelope: Envelope;
      readonly copy: PlainAnswer | null;
    }
  /** New lines, sent while the body still arrives; they count when `changed` comes. `isFirst`: those before do not. */
  | { readonly type: "lines"; readonly id: number; readonly block: LineBlock; readonly isFirst: boolean }
  | {
      readonly type: "changed";
      readonly id: number;
      readonly envelope: Envelope;
      readonly data: RunFields;
      readonly damage: readonly Damage[];
      /** How many lines of the log before stay, in front of the new ones. */
      readonly keep: number;
      readonly change: LogChange;
      /** Rises when lines that were there are not any more. */
      readonly epoch: number;
      /** What the new lines mean, where they are few; null: it is told later. */
      readonly facts: LogFacts | null;
      /** The answer as it came; null where it is not wanted, or too long. */
      readonly copy: PlainAnswer | null;
    }
  /** What lines mean, told some time after they came. */
  | { readonly type: "facts"; readonly runId: string; readonly epoch: number; readonly facts: LogFacts }
  /** Lines that match, in order; `done` with the last of them. */
  | {
      readonly type: "hits";
      readonly id: number;
      readonly lines: Uint32Array<ArrayBuffer>;
      readonly done: boolean;
    }
  /** `failure` null: it was aborted, or is a fault of the page itself (`message`). */
  | {
      readonly type: "failed";
      readonly id: number;
      readonly failure: Failure | null;
      readonly message: string;
    };
