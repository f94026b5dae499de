import { randomBytes, randomFillSync } from "node:crypto";
import type { Logger } from "pino";
import type { ApprovalRules } from "./agents/approvals/rules.ts";
import type { ListedRuns } from "./areas/listed-runs.ts";
import type { Config } from "./config.ts";
import type { Authenticator } from "./credentials/authenticate.ts";
import type { Passwords } from "./credentials/passwords.ts";
import type { Signer } from "./credentials/signer.ts";
import type { Engine } from "./engine/engine.ts";
import type { RubricUsages } from "./evaluations/rubric-usage.ts";
import type { FileStore } from "./files/file-store.ts";
import type { Guesses } from "./guessing/guesses.ts";
import type { Mcp } from "./mcp/mcp.ts";
import type { Models } from "./models/models.ts";
import type { Programs } from "./oauth/programs.ts";
import type { Oidc } from "./oidc/oidc.ts";
import type { Flows } from "./pipelines/find-flow.ts";
import type { FlowVersions } from "./pipelines/flow-versions.ts";
import type { RunReader } from "./pipelines/run-reader.ts";
import type { RetentionRules } from "./retention/rules.ts";
import type { Generations } from "./store/generation.ts";
import type { Pause } from "./store/pause.ts";
import type { Store } from "./store/store.ts";

/**
 * The time that is written and shown, and compared with what is stored: that of the database, which all processes share
 * (`store/database-clock.ts`). What is measured is measured with `performance.now()`.
 */
export interface Clock {
  now(): Date;
}

/** A clock that looks at the database when it is told to: before it dates something for others, or refuses it for its time. */
export interface SharedClock extends Clock {
  /**
   * Asks the database what time it is, so that `now` is right also where this process stood still meanwhile, as on a machine
   * that slept. Many at once share one question.
   * @throws what a lost database throws
   */
  look(): Promise<void>;
  /** Whether this process may have stood still since the last look; asks nobody. */
  mayBeLate(): boolean;
}

/** Makes ids that nobody can guess. */
export interface Ids {
  /** @param prefix such as `run` or `art`; the result is `run_` and at least 120 random bits in base 62 */
  make(prefix: string): string;
}

/**
 * Everything that the service is built from, made once in `service.ts` (or in a test) and handed down.
 * No module of the service keeps the state of one or reads the environment, so two services can live in one process.
 */
export interface Context {
  readonly config: Config;
  readonly clock: SharedClock;
  readonly ids: Ids;
  readonly log: Logger;
  readonly store: Store;
  readonly engine: Engine;
  readonly files: FileStore;
  readonly models: Models;
  readonly mcp: Mcp;
  readonly authenticator: Authenticator;
  /** The door before every secret that a stranger can send. */
  readonly guesses: Guesses;
  /** Sign-in with the organisation's identity provider; null where the workspace names none. */
  readonly oidc: Oidc | null;
  /** Programs that act for people. */
  readonly programs: Programs;
  readonly generations: Generations;
  readonly passwords: Passwords;
  readonly runs: RunReader;
  readonly listedRuns: ListedRuns;
  readonly rubricUsages: RubricUsages;
  readonly flows: Flows;
  readonly flowVersions: FlowVersions;
  /** How long what is kept, as the workspace says. */
  readonly retention: RetentionRules;
  /** Which calls of tools must be asked for, and who answers for a team, as the workspace says. */
  readonly approvals: ApprovalRules;
  /** Whether the database has the index of `GET /search`. */
  readonly canSearch: boolean;
  /** What it waits for before anything runs; null: work goes on. */
  readonly paused: () => Pause | null;
  /** Signs links with the service's secret; one instance for each purpose is derived by `signer.for(purpose)`. */
  readonly signer: Signer;
  /** Where people reach this service, without a trailing slash: `--public-url`, else `http://localhost:PORT`. */
  readonly publicUrl: string;
}

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Random bytes in reserve, each given out once: asking the generator for a few costs as much as for many. */
const reserve = new Uint8Array(4096);
let given = reserve.length;

function randomByte(): number {
  if (given === reserve.length) {
    randomFillSync(reserve);
    given = 0;
  }
  const byte = reserve[given] ?? 0;
  reserve[given++] = 0;
  return byte;
}

/** @returns `length` random characters of base 62, each 5.95 bits, without modulo bias */
export function randomText(length: number): string {
  let text = "";
  while (text.length < length) {
    const byte = randomByte();
    if (byte < 248) text += base62[byte % 62];
  }
  return text;
}

/** @returns 256 random bits in base64url, for a state, a nonce, a verifier or a cookie */
export function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** The ids of a real installation; tests may bring others. */
export const randomIds: Ids = { make: (prefix) => `${prefix}_${randomText(22)}` };
