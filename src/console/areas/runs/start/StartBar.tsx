import type { ComponentProps, ReactNode } from "react";
import { curlCopied } from "../../../lib/curl.ts";
import { Button } from "../../../ui/Button.tsx";
import { useCopy } from "../../../ui/CopyButton.tsx";

type Props = {
  /** What will be started, in a sentence. */
  summary: ReactNode;
  /** The same start for a shell, with the key as `$WHEELHOUSE_KEY`; null while what is typed cannot be sent. */
  curl: (() => string) | null;
} & Pick<ComponentProps<typeof Button>, "icon" | "children" | "onClick" | "loading" | "disabledReason">;

/** The foot of a page that starts a run: what will happen, in a sentence, and the button that starts it. */
export function StartBar({ summary, curl, ...button }: Props) {
  const copy = useCopy();
  return (
    <footer className="flex min-h-14 shrink-0 flex-wrap items-center gap-2 border-t py-2 pr-edge-right pl-edge-left">
      <p className="min-w-0 flex-1 basis-52">{summary}</p>
      {curl !== null && (
        <Button variant="quiet" onClick={() => void copy(curl(), curlCopied)} className="max-sm:hidden">
          Copy as curl
        </Button>
      )}
      <Button variant="primary" {...button} />
    </footer>
  );
}
