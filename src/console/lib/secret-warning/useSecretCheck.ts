import { useCallback, useMemo, useState } from "react";
import { findSecret, type SecretHint } from "./find-secret.ts";

export interface SecretCheck {
  /** What looks like a secret and was not called harmless; null where nothing does. */
  readonly secret: SecretHint | null;
  /** The person says that it is none, or wants it so. @returns the next one, null where there is none */
  readonly allow: () => SecretHint | null;
}

/** Looks for secrets in what is about to be sent or saved (C-39), with what the person said of those found before. */
export function useSecretCheck(text: string): SecretCheck {
  const [allowed, setAllowed] = useState<ReadonlySet<string>>(() => new Set());
  const secret = useMemo(() => findSecret(text, allowed), [text, allowed]);
  const allow = useCallback(() => {
    if (!secret) return null;
    const all = new Set([...allowed, secret.shown]);
    setAllowed(all);
    return findSecret(text, all);
  }, [text, secret, allowed]);
  return { secret, allow };
}
