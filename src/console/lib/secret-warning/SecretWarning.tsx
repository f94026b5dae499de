import { type ReactNode, useCallback, useMemo, useState } from "react";
import { Button } from "../../ui/Button.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { findSecret, type SecretHint } from "./find-secret.ts";

type Props = {
  secret: SecretHint;
  /** What the button does: "It isn’t a secret", "Save anyway". */
  action: string;
  onAllow: () => void;
  /** Who would see it, and what to do instead. */
  children: ReactNode;
};

/** Warns before something goes out that looks like a key (C-39). The thing itself is never shown whole. */
export function SecretWarning({ secret, action, onAllow, children }: Props) {
  return (
    <Notice
      kind="waits"
      look="box"
      title={`This looks like ${secret.what}: ${secret.shown}`}
      action={
        <Button size="small" onClick={onAllow}>
          {action}
        </Button>
      }
    >
      {children}
    </Notice>
  );
}

interface SecretCheck {
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
