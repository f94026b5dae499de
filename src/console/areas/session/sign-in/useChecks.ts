import { useCallback, useEffect, useRef, useState } from "react";
import type { OfferedConnection } from "../connections.ts";
import type { Answers, Check, SignInDraft } from "../sign-in.ts";
import type { SignedIn } from "../signed-in.ts";
import { useWheelhouse } from "../wheelhouse-context.tsx";

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
  const current = useRef(draft);
  useEffect(() => {
    current.current = draft;
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: another round asks the same question again
  useEffect(() => {
    setChecks([]);
    setResult(null);
    if (key === null) return;
    const stop = new AbortController();
    const timer = setTimeout(() => {
      const now = current.current;
      if (now === null) return;
      const onChecks = (list: readonly Check[]) => {
        if (!stop.signal.aborted) setChecks(list);
      };
      wheelhouse.check(now, { signal: stop.signal, onChecks }).then(
        (signedIn) => {
          if (!stop.signal.aborted) setResult(signedIn);
        },
        () => {}, // another draft took its place
      );
    }, settles);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [key, wheelhouse, round]);

  const again = useCallback(() => setRound((now) => now + 1), []);
  return { checks, result: result && draft && { ...result, thisTabOnly: draft.thisTabOnly }, again };
}
