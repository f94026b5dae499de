import Check from "lucide-react/icons/check";
import Copy from "lucide-react/icons/copy";
import X from "lucide-react/icons/x";
import { useEffect, useState } from "react";
import { copyText } from "./copyText.ts";
import { IconButton } from "./IconButton.tsx";

type Props = {
  text: string;
  /** What is copied: "run id". */
  what: string;
  shortcut?: string;
  /** `plain` has an edge, for toolbars; `inline` stands close behind the text that it copies. */
  look?: "quiet" | "plain" | "inline";
};

const icons = { ready: <Copy />, copied: <Check className="text-state-done-mark" />, failed: <X /> };

/** Copies a text and says so: by its icon, and aloud. */
export function CopyButton({ text, what, shortcut, look = "quiet" }: Props) {
  const [outcome, setOutcome] = useState<keyof typeof icons>("ready");
  useEffect(() => {
    if (outcome === "ready") return;
    const timer = setTimeout(() => setOutcome("ready"), 1_600);
    return () => clearTimeout(timer);
  }, [outcome]);
  return (
    <>
      <IconButton
        size={look === "inline" ? "tiny" : "small"}
        variant={look === "plain" ? "plain" : "quiet"}
        label={`Copy ${what}`}
        shortcut={shortcut}
        onClick={async (event) => {
          event.stopPropagation();
          setOutcome((await copyText(text)) ? "copied" : "failed");
        }}
      >
        {icons[outcome]}
      </IconButton>
      <span role="status" className="sr-only">
        {outcome === "copied" && `Copied ${what}`}
        {outcome === "failed" && `Could not copy ${what}; select it and copy by hand`}
      </span>
    </>
  );
}
