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
        ? `${connection} does not answer`
        : isOver
          ? `${connection} answers`
          : `Asking ${connection}`;
    case "accepted":
      return status === "failed" ? "The key is refused" : isOver ? "The key is accepted" : "Trying the key";
    case "teams":
      if (status === "skipped") return "This service does not list teams";
      if (!isOver || teams === null) return isOver ? "Your teams are known" : "Asking for your teams";
      return teams.length === 0 ? "You are in no team" : `You are in ${counted(teams.length, "team")}`;
    case "abilities":
      if (status === "skipped") return "It has the interface itself, and no list of extensions";
      return isOver ? "What this service can do is known" : "Reading what this service can do";
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
          text: "A team key may act for members only. Ask someone of the team to add you, or name a member.",
        }
      : {
          title: `This key does not act for ${credential.userId ?? "this user"}`,
          text: "A personal key acts as its owner alone. Write your own user id, or take a team key.",
        };
  }
  if (code === "plan_upgrade_required") {
    return {
      title: "The key is right, but your plan does not allow keys",
      text: "Keys need Pro or above, and the owner of this one is below it now. An access token works on every plan.",
    };
  }
  if (problem?.kind === "refused") {
    const end = credential.secret.slice(-4);
    return {
      title: `${connection.name} does not know this ${credential.kind === "token" ? "token" : "key"}`,
      text: `It may be mistyped, deleted, or made for another connection. Look at its last letters, ${end}.`,
    };
  }
  const { what, means, next } = describeError(error);
  return { title: `${connection.name} could not be asked`, text: `${what} ${means} ${next}` };
}
