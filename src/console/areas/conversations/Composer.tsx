import { type FormEvent, type KeyboardEvent, type ReactNode, type Ref, useId, useState } from "react";
import { SecretWarning } from "../../lib/secret-warning/SecretWarning.tsx";
import { useSecretCheck } from "../../lib/secret-warning/useSecretCheck.ts";
import { phone, useMedia } from "../../lib/useMedia.ts";
import { Button } from "../../ui/Button.tsx";
import { cx } from "../../ui/cx.ts";

type Props = {
  /** To whom: "Write to Clerk". */
  label: string;
  text: string;
  onText: (text: string) => void;
  /** Sends or queues the text as it stands; the caller empties it when it was accepted. */
  onSend: (text: string) => void;
  isSending: boolean;
  /** What the button does: "Send", "Start", "Queue message". */
  action: string;
  /** Beside the button the text is waited for; primary where nothing else on the page is. */
  isPrimary?: boolean;
  /** Why nothing can be sent at all. */
  offReason?: string | undefined;
  /** Another button before the one that sends. */
  extra?: ReactNode;
  /** Quiet words at the left of the button. */
  note?: ReactNode;
  /** Why the last try failed, over the field. */
  error?: ReactNode;
  isSmall?: boolean;
  fieldRef?: Ref<HTMLTextAreaElement>;
};

/** Where a message is written. It warns before something goes out that looks like a key (C-39). */
export function Composer(props: Props) {
  const { label, text, onText, onSend, isSending, action, offReason, note, error, isSmall = false } = props;
  const hintId = useId();
  const isPhone = useMedia(phone);
  const { secret, allow } = useSecretCheck(text);
  const [isWarned, setWarned] = useState(false);
  const isEmpty = text.trim() === "";

  const send = (event?: FormEvent) => {
    event?.preventDefault();
    if (isEmpty || isSending || offReason !== undefined) return;
    if (secret !== null) setWarned(true);
    else onSend(text);
  };
  const onKey = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
    const isAsked = event.ctrlKey || event.metaKey;
    // On a phone Enter is a new line: its keyboard has no other one.
    if (!isAsked && (event.shiftKey || event.altKey || isPhone)) return;
    event.preventDefault();
    send();
  };
  return (
    <form onSubmit={send} className="flex min-w-0 flex-col gap-2">
      {error}
      {secret && (
        <SecretWarning
          secret={secret}
          action={isWarned ? "Send anyway" : "It isn’t a secret"}
          onAllow={() => {
            const next = allow();
            if (isWarned && next === null) onSend(text);
          }}
        >
          Whoever may read this conversation would see it, and so would the agent’s model. Take it out, or it
          stays in the history.
        </SecretWarning>
      )}
      <div
        className={cx(
          "rounded-control border border-line-strong bg-surface focus-within:border-focus",
          isSmall ? "flex items-end gap-2 py-1 pr-1 pl-2.5" : "px-2.5 pt-1.5 pb-2",
        )}
      >
        <textarea
          ref={props.fieldRef}
          aria-label={label}
          aria-describedby={hintId}
          placeholder={label}
          value={text}
          rows={1}
          readOnly={isSending}
          onChange={(event) => onText(event.target.value)}
          onKeyDown={onKey}
          className={cx(
            "field-sizing-content block max-h-[34vh] w-full min-w-0 resize-none bg-transparent py-1 text-control outline-none",
            !isSmall && "min-h-8",
          )}
        />
        <div className={cx("flex items-center gap-3", !isSmall && "pt-1.5")}>
          <span id={hintId} className={cx("min-w-0 flex-1 text-muted text-secondary", isSmall && "sr-only")}>
            {note ?? "Enter sends, Shift and Enter make a new line"}
          </span>
          {props.extra}
          <Button
            type="submit"
            size="small"
            variant={props.isPrimary ? "primary" : "plain"}
            loading={isSending}
            disabledReason={offReason ?? (isEmpty ? "Write something first" : undefined)}
            reasonAs="title"
          >
            {action}
          </Button>
        </div>
      </div>
    </form>
  );
}
