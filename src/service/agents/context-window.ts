import { inputTokens, type ModelLimits, outputTokens } from "../models/limits.ts";
import { estimateTokens } from "../models/tokens.ts";
import type { ModelMessage, ToolSpec } from "../models/types.ts";

/** Messages that are told together or not at all: a turn, or an answer with the results of the calls that it asks for. */
export type Unit = readonly ModelMessage[];

/** A conversation as far as it has come, each list oldest first. */
export interface Talk {
  /** Earlier turns. */
  readonly turns: readonly Unit[];
  /** What is asked now. */
  readonly question: Unit;
  /** What was done about it so far. */
  readonly steps: readonly Unit[];
}

/** How many of the oldest units are not told. */
export interface LeftOut {
  readonly turns: number;
  readonly steps: number;
}

export interface Fitted {
  readonly messages: readonly ModelMessage[];
  readonly leftOut: LeftOut;
  /** The most tokens that the answer may have; null: the request leaves it to the model. */
  readonly maxTokens: number | null;
}

export interface Window {
  /**
   * The part of a conversation that a request has room for: what is asked, the newest step, then as many units before them
   * as fit. These two are told also where they do not fit, since the count is an estimate.
   * @param cuts how often the provider said that a request was too long: each leaves out more, where anything is left
   */
  fit(talk: Talk, cuts: number): Fitted;
}

/** After the provider said that a request is too long: how much of it may be sent, by our own count. */
const shareKept = 0.6;

/**
 * The window of a model, for one turn.
 * @param fixed what every request of the turn holds beside messages
 * @param maxTokens of an answer, as set for the agent
 */
export function openWindow(
  limits: ModelLimits,
  fixed: { readonly system: string; readonly tools: readonly ToolSpec[] },
  maxTokens: number | null,
): Window {
  const known = new WeakMap<Unit, number>();
  const count = (text: string) => estimateTokens(text) * limits.margin;
  const sizeOf = (unit: Unit) => {
    const size = known.get(unit) ?? count(JSON.stringify(unit));
    known.set(unit, size);
    return size;
  };
  const base = count(fixed.system) + count(JSON.stringify(fixed.tools));
  return {
    fit(talk, cuts) {
      let room = inputTokens(limits, maxTokens) - base;
      let told = newest(talk, room, sizeOf);
      for (let cut = 1; cut <= cuts; cut++) {
        room = (base + told.size) * shareKept - base;
        told = newest(talk, room, sizeOf);
      }
      const { steps, turns, size } = told;
      return {
        messages: [...turns, talk.question, ...steps].flat(),
        leftOut: { turns: talk.turns.length - turns.length, steps: talk.steps.length - steps.length },
        maxTokens: outputTokens(limits, maxTokens, base + size),
      };
    },
  };
}

interface Told {
  readonly turns: readonly Unit[];
  readonly steps: readonly Unit[];
  readonly size: number;
}

/** From the newest back, and no further than the first unit that does not fit: nothing is left out in between. */
function newest(talk: Talk, room: number, sizeOf: (unit: Unit) => number): Told {
  let size = sizeOf(talk.question);
  const last = talk.steps.slice(-1);
  for (const step of last) size += sizeOf(step);
  const take = (units: readonly Unit[]) => {
    let from = units.length;
    for (let at = units.length - 1; at >= 0; at--) {
      const unit = units[at];
      if (unit === undefined || size + sizeOf(unit) > room) break;
      size += sizeOf(unit);
      from = at;
    }
    return units.slice(from);
  };
  const earlier = talk.steps.slice(0, -1);
  const steps = take(earlier);
  const turns = steps.length === earlier.length ? take(talk.turns) : [];
  return { turns, steps: [...steps, ...last], size };
}

/** What the model is told of what it is not told; null where that is nothing. */
export function noteForModel(leftOut: LeftOut): string | null {
  const what = whatIs(leftOut, "of this conversation", "of this turn's tool calls");
  if (what === null) return null;
  return `Left out of what follows, as there is no room for more: ${what}. Do not guess at what was said or done there; where it matters, say that you no longer have it.`;
}

/** What people are told of it; null where nothing was left out. */
export function noteForPeople(leftOut: LeftOut): string | null {
  const what = whatIs(leftOut, "of the conversation", "of this turn's tool calls");
  return what === null ? null : `This is more than the model can read at once. Left out: ${what}.`;
}

function whatIs({ turns, steps }: LeftOut, ofTurns: string, ofSteps: string): string | null {
  const what = [
    ...(turns > 0 ? [`the first ${counted(turns, "turn")} ${ofTurns}`] : []),
    ...(steps > 0 ? [`the first ${counted(steps, "round")} ${ofSteps}`] : []),
  ];
  return what.length === 0 ? null : what.join(" and ");
}

const counted = (count: number, word: string) => (count === 1 ? word : `${count} ${word}s`);
