import Unlink from "lucide-react/icons/unlink";
import { useState } from "react";
import { formatWhen } from "../../lib/time/format.ts";
import { useTimeReader } from "../../lib/time/useTimeReader.ts";
import { Button } from "../../ui/Button.tsx";
import { copyText } from "../../ui/copyText.ts";
import { Id } from "../../ui/Id.tsx";
import { RecipientHead } from "./RecipientFrame.tsx";
import type { Opened } from "./shared-link.ts";

type Props = {
  ended: Extract<Opened, { kind: "ended" }>;
  isTrying: boolean;
  /** Left out where the address cannot be a link. */
  onRetry?: () => void;
};

/**
 * One page for a link that was switched off, replaced, whose file is gone, and that never was: the service answers them
 * alike, so that nobody learns which. Links have no end date, so nothing ends by itself.
 */
export function EndedLink({ ended, isTrying, onRetry }: Props) {
  const reader = useTimeReader();
  const [copied, setCopied] = useState<"yes" | "no" | null>(null);
  const message = `The link that you sent me no longer works: ${location.href}\nWould you share the file again, please?`;
  return (
    <>
      <RecipientHead
        icon={<Unlink />}
        title="This link no longer works"
        about="Or it never did; we cannot tell you which"
      />
      <p className="mt-6">
        The link was switched off, replaced by a new one, or the file is gone. Ask the person who sent it to
        share the file again; a new link is a different address.
      </p>
      <div className="mt-4 flex flex-wrap items-center gap-2">
        <Button onClick={async () => setCopied((await copyText(message)) ? "yes" : "no")}>
          Copy a message to the sender
        </Button>
        {onRetry && (
          <Button variant="quiet" loading={isTrying} onClick={onRetry}>
            Try again
          </Button>
        )}
      </div>
      <p role="status" className="mt-1 text-muted text-secondary">
        {copied === "yes" && "Copied. Paste it where you got the link."}
        {copied === "no" && "It could not be copied; write to the person who gave you the link."}
      </p>
      <p className="mt-2 flex flex-wrap items-center gap-1.5 text-muted text-secondary">
        Looked up {formatWhen(ended.at, reader)}
        {ended.requestId !== null && (
          <>
            , request <Id id={ended.requestId} what="request id" cut={[8, 4]} />
          </>
        )}
      </p>
    </>
  );
}
