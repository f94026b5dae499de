import type { Failure } from "../../../api/errors.ts";
import type { Envelope } from "../../../api/exchange.ts";
import type { PlainRequest } from "../../../api/request.ts";
import type { Excerpt, SearchQuery } from "./excerpt.ts";

/** What of a run, a conversation or the artifacts is looked through. */
export type SearchKind = "inputs" | "outputs" | "log" | "messages" | "tools" | "artifacts";

/** A text to look through. */
export interface Field {
  readonly kind: SearchKind;
  /** Where it is: the name of an input or output, the part of a conversation, the id of an artifact. */
  readonly at: string;
  /** What it is called beside a hit. */
  readonly label: string;
  readonly text: string;
}

/** One place that has what is looked for. */
export interface Hit extends Excerpt {
  readonly kind: SearchKind;
  /** As of its field; for a line of a log its number, from 1. */
  readonly at: string;
  readonly label: string;
  /** How many lines of this place have it. */
  readonly lines: number;
}

/** What the reading of a run told of it. */
export interface HeldRun {
  readonly state: string | null;
  /** Lines of its log. */
  readonly lines: number;
}

/** How much was looked through in one object. */
export interface LookedThrough {
  readonly lines: number;
  readonly texts: number;
  /** All hits; only the first of them are told. */
  readonly hits: number;
}

/** What to look for, and where. */
export interface FindOrder {
  /** What is held under this key; null: nothing but `fields`. */
  readonly key: string | null;
  readonly fields: readonly Field[];
  readonly query: SearchQuery;
  /** Others are not looked through. */
  readonly kinds: readonly SearchKind[];
  /** So many hits are told at most. */
  readonly most: number;
}

/** From the page to the worker. The request carries the credential, in memory only. */
export type ToSearch =
  | {
      readonly type: "read";
      readonly id: number;
      readonly key: string;
      readonly request: PlainRequest;
      readonly timeoutMs: number;
    }
  /** Texts that the page has read itself; `isFirst`: those before under this key do not count. */
  | {
      readonly type: "hold";
      readonly key: string;
      readonly fields: readonly Field[];
      readonly isFirst: boolean;
    }
  | { readonly type: "find"; readonly id: number; readonly order: FindOrder }
  | { readonly type: "abort"; readonly id: number };

/** From the worker to the page. */
export type FromSearch =
  | { readonly type: "read"; readonly id: number; readonly envelope: Envelope; readonly run: HeldRun }
  /** Told every few ms while it looks, also without hits: whoever waits then knows that the search is alive. */
  | { readonly type: "hits"; readonly id: number; readonly hits: readonly Hit[] }
  | { readonly type: "found"; readonly id: number; readonly looked: LookedThrough }
  /** Nothing is held under the key any more. */
  | { readonly type: "gone"; readonly id: number }
  /** `failure` null: it was aborted, or is a fault of the page itself (`message`). */
  | {
      readonly type: "failed";
      readonly id: number;
      readonly failure: Failure | null;
      readonly message: string;
    };
