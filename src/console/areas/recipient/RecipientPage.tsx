import Unlink from "lucide-react/icons/unlink";
import { type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import type { Caller } from "../../api/connection.ts";
import { describeError } from "../../api/describe-error.ts";
import { ConsoleError } from "../../api/errors.ts";
import { useFocusKept } from "../../lib/page/useFocusKept.ts";
import { shownName } from "../../lib/shownName.ts";
import { useTimeReader } from "../../lib/time/clock.tsx";
import { formatWhen } from "../../lib/time/format-time.ts";
import { Button } from "../../ui/Button.tsx";
import { copyText } from "../../ui/CopyButton.tsx";
import { ErrorState } from "../../ui/ErrorState.tsx";
import { Id } from "../../ui/Id.tsx";
import { SkeletonRows } from "../../ui/SkeletonRows.tsx";
import type { Surroundings } from "./FilePreview.tsx";
import { OpenedLink } from "./OpenedLink.tsx";
import { PasswordForm } from "./PasswordForm.tsx";
import { RecipientFrame, RecipientHead } from "./RecipientFrame.tsx";
import { type Opened, openLink } from "./shared-link.ts";

type Props = {
  /** Sends no key: made for this page alone. */
  caller: Caller;
  /** What previews need around them, loaded with the first file; the same promise each time. */
  surround: () => Promise<Surroundings>;
  /** Null: the address names no link. */
  token: string | null;
};

/**
 * What a link opens, for somebody without an account: the file, a question for its password, or that it opens nothing.
 * The password stays in memory, for as long as this tab shows the page, so that an ended download link can be renewed.
 */
export function RecipientPage({ caller, surround, token }: Props) {
  const [opened, setOpened] = useState<Opened | null>(
    token === null ? { kind: "ended", at: caller.clock.now(), requestId: null } : null,
  );
  const [password, setPassword] = useState<string | null>(null);
  const [isOpening, setOpening] = useState(false);
  // The form stays while a try fails otherwise: nothing typed is lost.
  const [asksPassword, setAsksPassword] = useState(false);

  const open = useCallback(
    async (tried: string | null): Promise<Opened> => {
      const answer: Opened =
        token === null
          ? { kind: "ended", at: caller.clock.now(), requestId: null }
          : await openLink(caller, token, tried);
      if (answer.kind === "password") setAsksPassword(true);
      if (answer.kind === "file") setPassword(tried);
      // What is shown stays where the link was not reached: with it the password would go, too (C-47).
      setOpened((before) =>
        before?.kind === "file" && answer.kind === "failed" ? { ...before, failure: answer.error } : answer,
      );
      return answer;
    },
    [caller, token],
  );
  const isStarted = useRef(false);
  useEffect(() => {
    if (isStarted.current || token === null) return;
    isStarted.current = true;
    void open(null);
  }, [open, token]);
  const renew = useCallback(async () => {
    const again = await open(password);
    return again.kind === "file" ? again.file : null;
  }, [open, password]);
  const tryAgain = async (tried: string | null) => {
    setOpening(true);
    await open(tried);
    setOpening(false);
  };

  useEffect(() => {
    const name = opened?.kind === "file" ? opened.file.filename : null;
    document.title = `${shownName(name ?? "") || titles[opened?.kind ?? "none"]} · Wheelhouse`;
  }, [opened]);

  useFocusKept(opened?.kind);

  if (opened === null) {
    return (
      <RecipientFrame>
        <Narrow>
          <SkeletonRows label="Opening the link" rows={3} columns={["14px", "1fr"]} />
        </Narrow>
      </RecipientFrame>
    );
  }
  if (opened.kind === "file") {
    return (
      <OpenedLink
        caller={caller}
        surround={surround}
        opened={opened}
        hasPassword={password !== null}
        onRenew={renew}
      />
    );
  }
  const isForm = opened.kind === "password" || (asksPassword && opened.kind !== "ended");
  return (
    <RecipientFrame>
      <Narrow>
        {opened.kind === "ended" ? (
          <EndedLink
            ended={opened}
            isTrying={isOpening}
            {...(token !== null && { onRetry: () => void tryAgain(null) })}
          />
        ) : isForm || opened.kind === "wait" ? (
          <PasswordForm
            opened={opened}
            isOpening={isOpening}
            // A wait before anything was asked: it is not known yet whether there is a password.
            isAsked={isForm}
            onOpen={(tried) => void tryAgain(tried)}
          />
        ) : (
          <FailedLink error={opened.error} isTrying={isOpening} onRetry={() => void tryAgain(password)} />
        )}
      </Narrow>
    </RecipientFrame>
  );
}

const titles = {
  none: "A shared file",
  file: "A shared file",
  password: "A file was shared with you",
  wait: "A file was shared with you",
  ended: "This link no longer works",
  failed: "The link could not be opened",
};

/** One column, as wide as a form. */
function Narrow({ children }: { children: ReactNode }) {
  return <div className="mx-auto w-full max-w-[452px] px-4 pt-12 pb-10 sm:pt-[108px]">{children}</div>;
}

type EndedLinkProps = {
  ended: Extract<Opened, { kind: "ended" }>;
  isTrying: boolean;
  /** Left out where the address cannot be a link. */
  onRetry?: () => void;
};

/**
 * One page for a link that was switched off, replaced, whose file is gone, and that never was: the service answers them
 * alike, so that nobody learns which. Links have no end date, so nothing ends by itself.
 */
function EndedLink({ ended, isTrying, onRetry }: EndedLinkProps) {
  const reader = useTimeReader();
  const [copied, setCopied] = useState<"yes" | "no" | null>(null);
  const message = `The link you sent me no longer works: ${location.href}\nCould you share the file again, please?`;
  return (
    <>
      <RecipientHead
        icon={<Unlink />}
        title="This link no longer works"
        about="Or it never existed; we can’t tell you which"
      />
      <p className="mt-6">
        The link was turned off or replaced, or the file was deleted. Ask the person who sent it for a new
        link.
      </p>
      <div className="mt-4 flex flex-wrap items-center gap-2">
        <Button onClick={async () => setCopied((await copyText(message)) ? "yes" : "no")}>
          Copy message for the sender
        </Button>
        {onRetry && (
          <Button variant="quiet" loading={isTrying} onClick={onRetry}>
            Try again
          </Button>
        )}
      </div>
      <p role="status" className="mt-1 text-muted text-secondary">
        {copied === "yes" && "Copied. Paste it into a reply to the sender."}
        {copied === "no" && "Could not copy. Write to the person who sent you the link."}
      </p>
      <p className="mt-2 flex flex-wrap items-center gap-1.5 text-muted text-secondary">
        Checked {formatWhen(ended.at, reader)}
        {ended.requestId !== null && (
          <>
            , request <Id id={ended.requestId} what="request ID" cut={[8, 4]} />
          </>
        )}
      </p>
    </>
  );
}

/** The link could not be opened right now; that says nothing of the link. */
function FailedLink({
  error,
  isTrying,
  onRetry,
}: {
  error: unknown;
  isTrying: boolean;
  onRetry: () => void;
}) {
  const { what, means } = describeError(error);
  const requestId = error instanceof ConsoleError ? (error.requestId ?? undefined) : undefined;
  return (
    <ErrorState
      title="The link could not be opened right now"
      onRetry={onRetry}
      isRetrying={isTrying}
      requestId={requestId}
      className="px-0!"
    >
      {what} {means} The link itself may still work.
    </ErrorState>
  );
}
