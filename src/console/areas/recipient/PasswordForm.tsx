import Lock from "lucide-react/icons/lock";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { describeError } from "../../api/describe-error.ts";
import { Refusal } from "../../lib/failure/Failure.tsx";
import { useNow } from "../../lib/time/clock.tsx";
import { formatDuration } from "../../lib/time/format.ts";
import { Button } from "../../ui/Button.tsx";
import { Field, PasswordInput } from "../../ui/Field.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { RecipientHead } from "./RecipientFrame.tsx";
import type { Opened } from "./shared-link.ts";

type Props = {
  opened: Exclude<Opened, { kind: "file" | "ended" }>;
  isOpening: boolean;
  /** The link has said that it needs a password. */
  isAsked: boolean;
  /** Null: without a password. */
  onOpen: (password: string | null) => void;
};

/** No password is longer than this, and no header should be. */
const longest = 1_024;

/** Asks for the password of a link. Before it is right nothing is told, not even the name. */
export function PasswordForm({ opened, isOpening, isAsked, onOpen }: Props) {
  const [password, setPassword] = useState("");
  const field = useRef<HTMLInputElement>(null);
  const until = opened.kind === "wait" ? opened.until : null;
  const now = useNow(until !== null);
  const left = until === null ? 0 : Math.max(0, until - now);
  const isTooLong = password.length > longest;
  const isWrong = opened.kind === "password" && opened.isWrong;
  // With each answer: after the second wrong one it is typed over, too.
  useEffect(() => {
    if (opened.kind === "password" && opened.isWrong) field.current?.select();
  }, [opened]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isOpening || left > 0 || isTooLong || (isAsked && password === "")) return;
    onOpen(isAsked ? password : null);
  };
  const reason = waitReason(left) ?? (isTooLong ? "This is too long for a password" : undefined);
  return (
    <>
      <RecipientHead
        icon={<Lock />}
        title="A file was shared with you"
        about={isAsked ? "Enter the password to open it" : "Too many attempts to open this link"}
      />
      <form onSubmit={submit} className="mt-6">
        <div className="flex items-start gap-2">
          {isAsked && (
            <Field
              label="Password"
              error={isWrong ? "Wrong password. Check upper and lower case." : null}
              className="flex-1"
            >
              <PasswordInput
                ref={field}
                what="password"
                autoComplete="current-password"
                autoFocus
                value={password}
                onChange={(event) => setPassword(event.target.value)}
              />
            </Field>
          )}
          <Button
            type="submit"
            variant="primary"
            loading={isOpening}
            className={isAsked ? "mt-6" : ""}
            disabledReason={reason ?? (isAsked && password === "" ? "Enter the password first" : undefined)}
            reasonAs="title"
          >
            {isAsked ? "Open" : "Try again"}
          </Button>
        </div>
        {left > 0 && (
          <p className="mt-2 text-state-stopped-fg text-secondary tabular-nums">
            Too many wrong passwords, by you or by others. Even the correct password must wait: try again in{" "}
            <span role="timer">{formatDuration(Math.ceil(left / 1_000) * 1_000)}</span>.
          </p>
        )}
        {opened.kind === "failed" && <TryFailed error={opened.error} />}
      </form>
      {isAsked && (
        <>
          <p className="mt-4 text-muted">
            You don’t need an account. Ask the person who sent you the link for the password; we can’t look it
            up.
          </p>
          <p className="mt-3 text-muted text-secondary">
            After several wrong passwords, the wait gets longer each time.
          </p>
        </>
      )}
    </>
  );
}

function waitReason(left: number): string | undefined {
  return left > 0 ? "Too many wrong passwords" : undefined;
}

function TryFailed({ error }: { error: unknown }) {
  const { what, means } = describeError(error);
  return (
    <Notice kind="failed" look="box" className="mt-3" title={what}>
      <p>{means} Your password was not checked. Try again.</p>
      <p className="mt-1 flex items-center gap-1 text-secondary">
        <Refusal error={error} />
      </p>
    </Notice>
  );
}
