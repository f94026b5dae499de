import type { Clock, Ids } from "../context.ts";
import type { NewExecution } from "../engine/kind.ts";
import type { FileStore } from "../files/file-store.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import type { Mcp } from "../mcp/mcp.ts";
import type { Meters } from "../meters.ts";
import type { Outgoing } from "../outgoing/outgoing.ts";
import type { Actor } from "../permission/actor.ts";
import type { Tx } from "../store/store.ts";
import type { CodeRunner } from "./code-runner.ts";

export type { Tx };

/** A flow that a node may start, as the run's owner may. */
export interface FoundFlow {
  readonly id: string;
  readonly name: string;
  /** The `input` of its execution, ready to start. */
  startInput(values: JsonObject): JsonValue;
}

/** A passage of a knowledge source, in words for people and models. `page` from 1, where the file has pages. */
export interface KnowledgePassage {
  readonly passage: string;
  readonly source: string;
  readonly file: string;
  readonly section?: string;
  readonly page?: number;
  /** The console's page that shows the file there. */
  readonly link: string;
}

/** What to say of a question of which `FindKnowledge` answers null. */
export const emptyQueryMessage = "query only says what to leave out: it needs a word to look for";

/**
 * The passages that answer a question best, of sources that the owner of the run or turn may read.
 * @param options `sourceIds`: only these; null: all of them
 * @returns null where the question only says what to leave out
 */
export type FindKnowledge = (
  question: string,
  options: { readonly limit: number; readonly sourceIds: readonly string[] | null },
  owner: { readonly userId: string | null; readonly teamId: string | null },
) => Promise<readonly KnowledgePassage[] | null>;

/** What node functions reach: nothing else of the service. */
export interface NodeServices {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly outgoing: Outgoing;
  readonly files: FileStore;
  readonly code: CodeRunner;
  readonly mcp: Mcp;
  readonly findKnowledge: FindKnowledge;
  /** Where somebody counts. */
  readonly meters?: Pick<Meters, "step"> | undefined;
  /** @returns null when there is no such flow, or the owner of the run may not use it */
  findFlow(id: string, owner: { userId: string | null; teamId: string | null }): Promise<FoundFlow | null>;
  /**
   * Prepares a conversation of its own with an agent.
   * @returns null when there is no such agent, or the actor may not use it
   */
  openTurn(agentId: string, actor: Actor, message: string): Promise<OpenedTurn | null>;
  /** Whether there is such an MCP server and the run's owner may use it. */
  mayUseServer(
    serverId: string,
    owner: { readonly userId: string | null; readonly teamId: string | null },
  ): Promise<boolean>;
}

/** A turn of an agent that is about to be spawned; `within` writes the conversation in the same transaction. */
export interface OpenedTurn {
  readonly child: NewExecution;
  within(tx: Tx): Promise<void>;
}
