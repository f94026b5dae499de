import { type ReactNode, useCallback, useEffect, useEffectEvent, useState } from "react";
import { describeError } from "../../../api/describe-error.ts";
import { ConsoleError } from "../../../api/errors.ts";
import { Refusal } from "../../../lib/failure/Failure.tsx";
import { counted } from "../../../lib/words.ts";
import { Notice } from "../../../ui/Notice.tsx";
import type { Tone } from "../../../ui/State.tsx";
import { StateShape } from "../../../ui/State.tsx";
import type { OfferedConnection } from "../connections.ts";
import type { Answers, Check, SignInDraft } from "../sign-in.ts";
import type { SignedIn } from "../signed-in.ts";
import { useWheelhouse } from "../wheelhouse.tsx";

/** Whether each offered connection answers, by its path; undefined while that is being found out. */
export function useProbes(connections: readonly OfferedConnection[]): {
  readonly answers: Readonly<Record<string, Answers | undefined>>;
  readonly again: (connection: OfferedConnection) => void;
} {
  const wheelhouse = useWheelhouse();
  const [answers, setAnswers] = useState<Record<string, Answers | undefined>>({});
  const ask = useCallback(
    (connection: OfferedConnection, signal?: AbortSignal) => {
      setAnswers((old) => ({ ...old, [connection.path]: undefined }));
      wheelhouse.probe(connection, signal).then(
        (answer) => setAnswers((old) => ({ ...old, [connection.path]: answer })),
        () => {}, // the page was left
      );
    },
    [wheelhouse],
  );
  useEffect(() => {
    const stop = new AbortController();
    for (const connection of connections) ask(connection, stop.signal);
    return () => stop.abort();
  }, [connections, ask]);
  return { answers, again: ask };
}

export interface Checking {
  readonly checks: readonly Check[];
  /** What to sign in with, once every check has passed. */
  readonly result: SignedIn | null;
  readonly again: () => void;
}

/** After so many ms without a key the checks begin. */
const settles = 400;

/** Runs the checks of a draft when typing rests; null while something is missing. Only the newest draft counts. */
export function useChecks(draft: SignInDraft | null): Checking {
  const wheelhouse = useWheelhouse();
  const [checks, setChecks] = useState<readonly Check[]>([]);
  const [result, setResult] = useState<SignedIn | null>(null);
  const [round, setRound] = useState(0);
  const key = draft === null ? null : JSON.stringify({ ...draft, thisTabOnly: false });
  const begin = useEffectEvent((signal: AbortSignal) => {
    if (draft === null) return;
    const onChecks = (list: readonly Check[]) => {
      if (!signal.aborted) setChecks(list);
    };
    wheelhouse.check(draft, { signal, onChecks }).then(
      (signedIn) => {
        if (!signal.aborted) setResult(signedIn);
      },
      () => {}, // another draft took its place
    );
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: another round asks the same question again
  useEffect(() => {
    setChecks([]);
    setResult(null);
    if (key === null) return;
    const stop = new AbortController();
    const timer = setTimeout(() => begin(stop.signal), settles);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [key, wheelhouse, round]);

  const again = useCallback(() => setRound((now) => now + 1), []);
  return { checks, result: result && draft && { ...result, thisTabOnly: draft.thisTabOnly }, again };
}

type CheckLinesProps = {
  checks: readonly Check[];
  connection: string;
  /** Names of the teams, once they are known; null where the service does not tell. */
  teams: readonly { name: string }[] | null;
};

const tones: Record<Check["status"], Tone> = {
  waiting: "waiting",
  running: "running",
  passed: "done",
  skipped: "waiting",
  failed: "failed",
};

/** What is looked at before the sign-in; each line as it passes. */
export function CheckLines({ checks, connection, teams }: CheckLinesProps) {
  const begun = checks.filter((check) => check.status !== "waiting");
  if (begun.length === 0) return null;
  return (
    <ul aria-label="Checks" aria-live="polite" className="flex flex-col gap-2 border-y py-2.5">
      {begun.map((check) => (
        <li key={check.name} className="flex items-center gap-2.5">
          <StateShape tone={tones[check.status]} label={check.status} />
          <span className="flex-1">{labelOf(check, connection, teams)}</span>
          <span className="text-muted text-secondary tabular-nums">{asideOf(check, teams)}</span>
        </li>
      ))}
    </ul>
  );
}

function labelOf({ name, status }: Check, connection: string, teams: CheckLinesProps["teams"]): string {
  const isOver = status === "passed" || status === "skipped";
  switch (name) {
    case "answers":
      return status === "failed"
        ? `${connection} is not responding`
        : isOver
          ? `${connection} is reachable`
          : `Connecting to ${connection}`;
    case "accepted":
      return status === "failed" ? "Key rejected" : isOver ? "Key accepted" : "Checking key";
    case "teams":
      if (status === "skipped") return "This service does not list teams";
      if (!isOver || teams === null) return isOver ? "Teams loaded" : "Loading teams";
      return teams.length === 0 ? "You are not in a team" : `You are in ${counted(teams.length, "team")}`;
    case "abilities":
      if (status === "skipped") return "Core API only, no extensions";
      return isOver ? "Features loaded" : "Loading features";
  }
}

function asideOf(check: Check, teams: CheckLinesProps["teams"]): string {
  if (check.name === "teams" && check.status === "passed" && teams)
    return teams.map((team) => team.name).join(", ");
  if (check.ms === null) return "";
  return check.ms < 1000 ? `${Math.round(check.ms)} ms` : `${(check.ms / 1000).toFixed(1)} s`;
}

type RefusedProps = { check: Check; draft: SignInDraft; actions?: ReactNode };

/** Whose refusal it is, what it means, and the next step; the code and the request id last. */
export function Refused({ check, draft, actions }: RefusedProps) {
  const { title, text } = refusalOf(check, draft);
  return (
    <div className="flex flex-col gap-3">
      <Notice kind="failed" look="box" title={title}>
        <p className="text-muted">{text}</p>
        <p className="mt-1 flex items-center gap-1 text-muted text-secondary">
          <Refusal error={check.problem?.error} />
        </p>
      </Notice>
      {actions !== undefined && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
    </div>
  );
}

function refusalOf(
  { problem }: Check,
  { connection, credential }: SignInDraft,
): { title: string; text: string } {
  const error = problem?.error;
  const code = error instanceof ConsoleError ? error.code : null;
  if (problem?.kind === "membership") {
    const team = credential.teamId === null ? "the key’s team" : credential.teamId;
    return credential.kind === "team"
      ? {
          title: `${credential.userId ?? "This user"} is not a member of ${team}`,
          text: "A team key can act only for members. Ask a team member to add you, or enter a member’s user ID.",
        }
      : {
          title: `This key can’t act for ${credential.userId ?? "this user"}`,
          text: "A personal key acts only for its owner. Enter your own user ID, or use a team key.",
        };
  }
  if (code === "plan_upgrade_required") {
    return {
      title: "The key is valid, but your plan does not include keys",
      text: "Keys need the Pro plan or above, and this key’s owner is no longer on one. An access token works on every plan.",
    };
  }
  if (problem?.kind === "refused") {
    const end = credential.secret.slice(-4);
    return {
      title: `${connection.name} does not know this ${credential.kind === "token" ? "token" : "key"}`,
      text: `It may be mistyped, deleted, or for another connection. Check that it ends in ${end}.`,
    };
  }
  const { what, means, next } = describeError(error);
  return { title: `${connection.name} could not be reached`, text: `${what} ${means} ${next}` };
}
