import { inputTokens, type ModelLimits, outputTokens } from "../models/limits.ts";
import { estimateTokens, leastTokens } from "../models/tokens.ts";
import type { ModelMessage, ToolSpec } from "../models/types.ts";

/** Messages that are told together or not at all: a turn, or an answer with the results of the calls that it asks for. */
export type MessageGroup = readonly ModelMessage[];

/** A conversation as far as it has come, each list oldest first. */
export interface ChatHistory {
  /** Earlier turns, as far as they were read: all that `room` takes, or more. */
  readonly turns: readonly MessageGroup[];
  /** How many came before those. */
  readonly unread: number;
  /** What is asked now. */
  readonly question: MessageGroup;
  /** What was done about it so far. */
  readonly steps: readonly MessageGroup[];
}

/** How many of the oldest groups are left out. */
export interface Omitted {
  readonly turns: number;
  readonly steps: number;
}

export interface FittedRequest {
  readonly messages: readonly ModelMessage[];
  readonly leftOut: Omitted;
  /** The most tokens that the answer may have; null: the request leaves it to the model. */
  readonly maxTokens: number | null;
}

/** What earlier turns a request has room for, taken from the newest back. */
export interface TurnRoom {
  /** Takes the turn before those that it has. @returns false where it does not fit: then no turn before it does */
  take(turn: MessageGroup): boolean;
  /** Whether no turn whose JSON has so many characters fits. */
  isFull(characters: number): boolean;
}

export interface ContextWindow {
  /** Where nothing was done about the question so far, which leaves the most room; no `fit` tells of more turns. */
  room(question: MessageGroup): TurnRoom;
  /**
   * The part of a conversation that a request has room for: what is asked, the newest step, then as many groups before them
   * as fit. These two are told also where they do not fit, since the count is an estimate.
   * @param cuts how often the provider said that a request was too long: each leaves out more, where anything is left
   */
  fit(history: ChatHistory, cuts: number): FittedRequest;
}

/** After the provider said that a request is too long: how much of it may be sent, by our own count. */
const shareKept = 0.6;

/**
 * The window of a model, for one turn.
 * @param fixed what every request of the turn holds beside messages
 * @param maxTokens of an answer, as set for the agent
 */
export function createContextWindow(
  limits: ModelLimits,
  fixed: { readonly system: string; readonly tools: readonly ToolSpec[] },
  maxTokens: number | null,
): ContextWindow {
  const known = new WeakMap<MessageGroup, number>();
  const count = (text: string) => estimateTokens(text) * limits.margin;
  const sizeOf = (group: MessageGroup) => {
    const told = limits.tellsReasoning ? group : group.map(withoutReasoning);
    const size = known.get(group) ?? count(JSON.stringify(told));
    known.set(group, size);
    return size;
  };
  const base = count(fixed.system) + count(JSON.stringify(fixed.tools));
  const whole = inputTokens(limits, maxTokens) - base;
  return {
    room(question) {
      let size = sizeOf(question);
      return {
        take(turn) {
          if (limits.readsOneTurn || size + sizeOf(turn) > whole) return false;
          size += sizeOf(turn);
          return true;
        },
        isFull: (characters) =>
          limits.readsOneTurn === true || size + leastTokens(characters) * limits.margin > whole,
      };
    },
    fit(history, cuts) {
      let room = whole;
      let selected = newest(history, room, sizeOf);
      for (let cut = 1; cut <= cuts; cut++) {
        room = (base + selected.size) * shareKept - base;
        selected = newest(history, room, sizeOf);
      }
      const { steps, turns, size } = selected;
      return {
        messages: [...turns, history.question, ...steps].flat(),
        leftOut: {
          // Of what the model does not read nothing is missing.
          turns: limits.readsOneTurn ? 0 : history.unread + history.turns.length - turns.length,
          steps: history.steps.length - steps.length,
        },
        maxTokens: outputTokens(limits, maxTokens, base + size),
      };
    },
  };
}

const withoutReasoning = (message: ModelMessage): ModelMessage =>
  message.role === "assistant" ? { ...message, reasoning: null } : message;

interface Selection {
  readonly turns: readonly MessageGroup[];
  readonly steps: readonly MessageGroup[];
  readonly size: number;
}

/** From the newest back, and no further than the first group that does not fit: nothing is left out in between. */
function newest(history: ChatHistory, room: number, sizeOf: (group: MessageGroup) => number): Selection {
  let size = sizeOf(history.question);
  const last = history.steps.slice(-1);
  for (const step of last) size += sizeOf(step);
  const take = (groups: readonly MessageGroup[]) => {
    let from = groups.length;
    for (let at = groups.length - 1; at >= 0; at--) {
      const group = groups[at];
      if (group === undefined || size + sizeOf(group) > room) break;
      size += sizeOf(group);
      from = at;
    }
    return groups.slice(from);
  };
  const earlier = history.steps.slice(0, -1);
  const steps = take(earlier);
  const turns = steps.length === earlier.length ? take(history.turns) : [];
  return { turns, steps: [...steps, ...last], size };
}

/** What the model is told of what it is not told; null where that is nothing. */
export function noteForModel(leftOut: Omitted): string | null {
  const what = describeOmitted(leftOut, "of this conversation", "of this turn's tool calls");
  if (what === null) return null;
  return `Left out of what follows, as there is no room for more: ${what}. Do not guess at what was said or done there; where it matters, say that you no longer have it.`;
}

/** What people are told of it; null where nothing was left out. */
export function noteForPeople(leftOut: Omitted): string | null {
  const what = describeOmitted(leftOut, "of the conversation", "of this turn's tool calls");
  return what === null ? null : `This is more than the model can read at once. Left out: ${what}.`;
}

function describeOmitted({ turns, steps }: Omitted, ofTurns: string, ofSteps: string): string | null {
  const what = [
    ...(turns > 0 ? [`the first ${counted(turns, "turn")} ${ofTurns}`] : []),
    ...(steps > 0 ? [`the first ${counted(steps, "round")} ${ofSteps}`] : []),
  ];
  return what.length === 0 ? null : what.join(" and ");
}

const counted = (count: number, word: string) => (count === 1 ? word : `${count} ${word}s`);
