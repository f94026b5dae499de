import Check from "lucide-react/icons/check";
import Copy from "lucide-react/icons/copy";
import X from "lucide-react/icons/x";
import { useCallback, useRef, useState } from "react";
import { IconButton } from "./Button.tsx";
import { cx } from "./cx.ts";
import { type ToastMessage, useToast } from "./Toast.tsx";

type Props = {
  text: string;
  /** What is copied: "run id". */
  what: string;
  /** `plain` has an edge, for toolbars; `inline` stands close behind the text that it copies. */
  look?: "quiet" | "plain" | "inline";
};

const icons = { ready: <Copy />, copied: <Check className="text-state-done-mark" />, failed: <X /> };

/** Copies a text and says so: by its icon, and aloud. */
export function CopyButton({ text, what, look = "quiet" }: Props) {
  const [outcome, setOutcome] = useState<keyof typeof icons>("ready");
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  return (
    <>
      <IconButton
        size={look === "inline" ? "tiny" : "small"}
        variant={look === "plain" ? "plain" : "quiet"}
        label={`Copy ${what}`}
        onClick={async (event) => {
          event.stopPropagation();
          setOutcome((await copyText(text)) ? "copied" : "failed");
          clearTimeout(timer.current);
          timer.current = setTimeout(() => setOutcome("ready"), 1_600);
        }}
      >
        {icons[outcome]}
      </IconButton>
      <span role="status" className="sr-only">
        {outcome === "copied" && `Copied ${what}`}
        {outcome === "failed" && `Could not copy ${what}; select and copy it manually`}
      </span>
    </>
  );
}

/**
 * Puts text on the clipboard. Without the clipboard interface (a page that did not come over TLS or from this machine)
 * it copies through a selection. Returns whether it worked.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    if (navigator.clipboard) {
      await navigator.clipboard.writeText(text);
      return true;
    }
  } catch {
    // Refused, for example because the page lost the focus: try the older way.
  }
  const area = document.createElement("textarea");
  area.value = text;
  area.setAttribute("readonly", "");
  area.style.position = "fixed";
  area.style.opacity = "0";
  const focused = document.activeElement;
  // Inside an open dialog, because that keeps the focus within itself.
  (focused?.closest("[role=dialog]") ?? document.body).append(area);
  area.select();
  try {
    return document.execCommand("copy");
  } catch {
    return false;
  } finally {
    area.remove();
    if (focused instanceof HTMLElement) focused.focus();
  }
}

type Said = Pick<ToastMessage, "title" | "detail">;

/**
 * Copies a text and says in a toast whether it could be.
 * @returns takes the text, and what is said then
 */
export function useCopy(): (text: string, copied: Said, failed?: Said) => Promise<void> {
  const toaster = useToast();
  return useCallback(
    async (text, copied, failed = { title: "Could not copy" }) => {
      const isCopied = await copyText(text);
      toaster.show(isCopied ? { tone: "done", ...copied } : { tone: "failed", ...failed });
    },
    [toaster],
  );
}

/** One line of code to copy, such as the `curl` line of an empty state; cut at the end, copied whole. */
export function CodeLine({ code, what, className }: { code: string; what: string; className?: string }) {
  return (
    <div
      className={cx("flex min-w-0 items-center gap-2 rounded-tag bg-surface-sunken pr-1 pl-2.5", className)}
    >
      <code className="min-w-0 flex-1 truncate py-1 text-mono text-muted">{code}</code>
      <CopyButton text={code} what={what} />
    </div>
  );
}
