import type { ApprovalAnswer } from "../../service/store/schema-approvals.ts";
import type { Script } from "../scripted-kind.ts";
import type { Place } from "./parts.ts";

/** What whoever asked for something was told: `unknown` where the answer was lost, or the database was away. */
export type Told<T> = T | "unknown";

/** Whose work something is. */
export interface Tenant {
  readonly userId: string;
  readonly teamId: string | null;
}

export interface RunStarted {
  readonly id: string;
  readonly script: Script;
  /** See `tenantAt`. */
  readonly who: number;
  told: Told<"accepted">;
}

export interface FlowStarted {
  readonly id: string;
  /** What it says to the agent; null: it only asks people. */
  readonly message: string | null;
  readonly who: number;
  told: Told<"accepted">;
}

/** A run of the flow in `parts.ts`, or one that another of them was run again as. */
export interface PartsRun {
  readonly id: string;
  readonly who: number;
  /** `same`: the request was one that had been answered, and so was this one. */
  told: Told<"accepted" | "same" | "refused">;
  /** What the flow's version may be for it: the first and the last. */
  readonly versions: [number, number];
  /** What it goes again as; null: nothing. */
  readonly again: {
    readonly of: PartsRun;
    /** The run below it that goes again, and what that is in this one; null: it is the one at the top. */
    readonly below: { readonly of: string; readonly id: string } | null;
    readonly from: Place;
    readonly flow: "as_run" | "current";
  } | null;
}

/** A message that was sent to a conversation. */
export interface Said {
  readonly message: string;
  /** By the ledger's clock. */
  readonly sentAt: number;
  toldAt: number;
  told: Told<"accepted" | "busy">;
}

export interface Conversation {
  readonly id: string;
  readonly userId: string;
  readonly isJudged: boolean;
  readonly said: Said[];
}

export interface KillAsked {
  readonly id: string;
  told: Told<"killed" | "over">;
}

export interface AnswerGiven {
  readonly id: string;
  readonly answer: ApprovalAnswer;
  told: Told<"counts" | "too late">;
}

/** All that was asked of the processes of a schedule, and what they said. */
export interface History {
  readonly runs: RunStarted[];
  readonly flows: FlowStarted[];
  readonly parts: PartsRun[];
  readonly conversations: Conversation[];
  readonly kills: KillAsked[];
  readonly answers: AnswerGiven[];
  /** Questions whose time was made to come. */
  readonly lapses: string[];
  /** Starts that were sent twice with one key: the conversations that each answer named. */
  readonly repeats: { readonly key: string; readonly ids: string[] }[];
  /** Why runs did not go again, by the first words. */
  readonly refusals: string[];
  /** How often what workers had was taken from them: by a death, or by time. */
  losses: number;
  /** By how much the clock of the database was turned forwards, in milliseconds: what waits for a time ends that much earlier. */
  forwardMs: number;
  /** What no process may say, whatever happens to it. */
  readonly broken: string[];
}

export const newHistory = (): History => ({
  runs: [],
  flows: [],
  parts: [],
  conversations: [],
  kills: [],
  answers: [],
  lapses: [],
  repeats: [],
  refusals: [],
  losses: 0,
  forwardMs: 0,
  broken: [],
});
