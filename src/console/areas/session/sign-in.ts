import { listAgents } from "../../../contract/agents.ts";
import { listModels } from "../../../contract/models.ts";
import { getRun } from "../../../contract/run.ts";
import { listTeams } from "../../../contract/teams.ts";
import { type CallerOptions, freeCaller } from "../../api/caller.ts";
import { call } from "../../api/client.ts";
import type { Caller } from "../../api/connection.ts";
import { ConsoleError, isForbidden, isMissingEndpoint } from "../../api/errors.ts";
import type { Credential } from "../../api/request.ts";
import type { OfferedConnection } from "./connections.ts";
import { type Abilities, readAbilities } from "./connections.ts";
import type { KnownTeam, SignedIn } from "./signed-in.ts";

/** The lines above the sign-in button, in this order. */
export type CheckName = "answers" | "accepted" | "abilities" | "teams";

/** One line. `skipped`: this service cannot tell, which is no fault. */
export interface Check {
  readonly name: CheckName;
  readonly status: "waiting" | "running" | "passed" | "skipped" | "failed";
  /** How long it took, once it is over. */
  readonly ms: number | null;
  /**
   * Of a failed one. `membership`: the key is right, but not for this user or team. `nameless`: this service does not
   * say whose personal key it is, so that the user id has to be typed.
   */
  readonly problem: {
    readonly kind: "refused" | "membership" | "nameless" | "other";
    readonly error: unknown;
  } | null;
}

/** What the person has given so far. */
export interface SignInDraft {
  readonly connection: OfferedConnection;
  readonly credential: Credential;
  readonly thisTabOnly: boolean;
}

export interface CheckOptions extends CallerOptions {
  readonly signal?: AbortSignal;
  /** Told after each step; the list always has all four lines. */
  readonly onChecks: (checks: readonly Check[]) => void;
}

/** Whether a connection answers at all, before any key is typed. No key is sent. */
export interface Answers {
  readonly answers: boolean;
  readonly ms: number;
  readonly error: unknown;
}

/** Asks a connection for something cheap without a key: a refusal by the service is an answer. */
export async function probe(
  connection: OfferedConnection,
  options: CallerOptions & { readonly signal?: AbortSignal },
): Promise<Answers> {
  const caller = freeCaller(connection.path, null, options);
  const from = options.clock.now();
  try {
    await call(caller, listModels, {}, { signal: options.signal, timeoutMs: 10_000 });
    return { answers: true, ms: options.clock.now() - from, error: null };
  } catch (error) {
    options.signal?.throwIfAborted();
    const answers = error instanceof ConsoleError && error.kind === "http" && (error.status ?? 500) < 500;
    return { answers, ms: options.clock.now() - from, error: answers ? null : error };
  }
}

/**
 * Checks a sign-in step by step: the connection answers, the key is accepted, what the service can do and whose key it
 * is, the teams. A personal key without a user id is signed in with as the person whom the service names.
 * @returns what to hand to `session.signIn`, or null where a check failed
 * @throws the signal's reason when aborted
 */
export async function checkSignIn(draft: SignInDraft, options: CheckOptions): Promise<SignedIn | null> {
  const { connection, thisTabOnly } = draft;
  let { credential } = draft;
  const { clock, signal } = options;
  let caller = freeCaller(connection.path, credential, options);
  const list = new CheckList(options);

  const reached = await list.step("answers", async () => {
    const { answers, error } = await probe(connection, options);
    if (!answers) throw error;
    return "passed";
  });
  if (!reached) return null;

  const team = credential.kind === "team" && credential.teamId ? { team_id: credential.teamId } : {};
  const accepted = await list.step("accepted", async () => {
    await call(caller, listAgents, { query: { ...team, page_size: 1 } }, { signal });
    return "passed";
  });
  if (!accepted) return null;

  let abilities: Abilities = { named: null, user: null };
  const read = await list.step("abilities", async () => {
    abilities = await readAbilities(caller, signal);
    return abilities.named === null ? "skipped" : "passed";
  });
  if (!read) return null;
  const { named, user } = abilities;
  if (credential.kind === "personal" && credential.userId === null && user) {
    credential = { ...credential, userId: user.id };
    caller = freeCaller(connection.path, credential, options);
  }

  let teams: readonly KnownTeam[] | null = null;
  const belongs = await list.step("teams", async () => {
    if (credential.kind === "personal" && credential.userId === null) throw new NamelessKey();
    await checkOwner(caller, credential, signal);
    teams = await readTeams(caller, signal);
    return teams === null ? "skipped" : "passed";
  });
  if (!belongs) return null;

  return {
    connection,
    credential,
    userName: user && user.id === credential.userId ? user.name : null,
    teams,
    known: { named, tried: named ? {} : caller.capabilities.known.get().tried },
    thisTabOnly,
    signedInAt: clock.now(),
    expiresAt: null,
  };
}

async function readTeams(caller: Caller, signal?: AbortSignal): Promise<readonly KnownTeam[] | null> {
  try {
    const { data } = await call(caller, listTeams, {}, { signal });
    return (data.teams ?? []).flatMap(({ id, name }) => (id ? [{ id, name: name ?? id }] : []));
  } catch (error) {
    if (isMissingEndpoint(error, listTeams)) return null;
    throw error;
  }
}

/** A run that nobody has: the service looks at who asks before it looks for the run. */
const nobodysRun = "wheelhouse-sign-in-check";

/** @throws NotAMember where the key may not act for this user or team */
async function checkOwner(caller: Caller, { userId, teamId }: Credential, signal?: AbortSignal) {
  if (!userId && !teamId) return;
  const owner = { ...(userId ? { user_id: userId } : {}), ...(teamId ? { project_id: teamId } : {}) };
  try {
    await call(caller, getRun, { query: { run_id: nobodysRun, ...owner } }, { signal });
  } catch (error) {
    signal?.throwIfAborted();
    if (isForbidden(error)) throw new NotAMember(error);
    if (!(error instanceof ConsoleError) || error.kind !== "http" || (error.status ?? 500) >= 500)
      throw error;
  }
}

/** The service does not say whose key it is. */
class NamelessKey extends Error {}

class NotAMember extends Error {
  readonly refusal: ConsoleError;
  constructor(refusal: ConsoleError) {
    super("The key may not act for this user or team");
    this.refusal = refusal;
  }
}

class CheckList {
  readonly #options: CheckOptions;
  #checks: readonly Check[] = (["answers", "accepted", "abilities", "teams"] as const).map((name) => ({
    name,
    status: "waiting",
    ms: null,
    problem: null,
  }));

  constructor(options: CheckOptions) {
    this.#options = options;
    options.onChecks(this.#checks);
  }

  /** @returns false where the check failed */
  async step(name: CheckName, work: () => Promise<"passed" | "skipped">): Promise<boolean> {
    const { clock, signal } = this.#options;
    const from = clock.now();
    this.#set({ name, status: "running", ms: null, problem: null });
    try {
      const status = await work();
      signal?.throwIfAborted();
      this.#set({ name, status, ms: clock.now() - from, problem: null });
      return true;
    } catch (error) {
      signal?.throwIfAborted();
      this.#set({ name, status: "failed", ms: clock.now() - from, problem: problemOf(error) });
      return false;
    }
  }

  #set(check: Check): void {
    this.#checks = this.#checks.map((one) => (one.name === check.name ? check : one));
    this.#options.onChecks(this.#checks);
  }
}

function problemOf(error: unknown): NonNullable<Check["problem"]> {
  if (error instanceof NamelessKey) return { kind: "nameless", error };
  if (error instanceof NotAMember) return { kind: "membership", error: error.refusal };
  const refused = error instanceof ConsoleError && (error.status === 401 || error.status === 403);
  return { kind: refused ? "refused" : "other", error };
}
