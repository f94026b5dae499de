import type { ReactNode } from "react";
import { Button } from "../../ui/Button.tsx";
import { Notice } from "../../ui/Notice.tsx";
import type { SecretHint } from "./find-secret.ts";

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
