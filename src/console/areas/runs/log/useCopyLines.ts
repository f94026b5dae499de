import { useCallback } from "react";
import { copyText } from "../../../ui/copyText.ts";
import { useToast } from "../../../ui/toastContext.ts";
import type { RunLog } from "../worker/run-log.ts";
import type { LineRange } from "./line-range.ts";
import { mostCopied, readText } from "./log-text.ts";

/** Copies lines of a log (1-based), on the screen or not, and says how many. */
export function useCopyLines(log: RunLog): (range: LineRange) => Promise<void> {
  const toaster = useToast();
  return useCallback(
    async ({ from, to }) => {
      const count = Math.min(to, log.length) - from + 1;
      const failed = (detail: string) =>
        toaster.show({ tone: "failed", title: "The lines could not be copied", detail });
      if (count > mostCopied) {
        failed("There are more than a clipboard takes. Download the log instead.");
        return;
      }
      const text = (await readText(log, from - 1, to)).join("").slice(0, -1);
      if (!(await copyText(text))) failed("Download the log instead.");
      else
        toaster.show({
          tone: "done",
          title: `Copied ${count.toLocaleString("en-GB")} ${count === 1 ? "line" : "lines"}`,
        });
    },
    [log, toaster],
  );
}
