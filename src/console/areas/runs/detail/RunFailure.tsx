import { Link } from "@tanstack/react-router";
import { plainText } from "../../../lib/ansi.ts";
import { linkClass } from "../../../ui/linkClass.ts";
import { Notice } from "../../../ui/Notice.tsx";
import { readLine } from "../log/line.ts";
import { useRunReader } from "../useRunReader.ts";
import { readRunSearch } from "./search.ts";

type Props = {
  runId: string;
  state: string | null;
  /** In the service's words; null where it gives none. */
  error: string | null;
  /** The first line of an error in its log, 1-based. */
  firstError: number | undefined;
  /** The line is asked for, also where the address has it already. */
  onAsk: (line: number) => void;
};

const shown = 300;

/** Why a run failed, and the way to the line that says so first. Without a word of the service the line itself tells. */
export function RunFailure({ runId, state, error, firstError, onAsk }: Props) {
  const log = useRunReader().log(runId);
  const read = () => {
    const { node, text } = readLine(log.getLines((firstError ?? 1) - 1, 1)[0] ?? "");
    return `${node === null ? "" : `${node}: `}${plainText(text.slice(0, shown))}`;
  };
  if (error === null && firstError === undefined) return null;
  return (
    <Notice
      kind="failed"
      title={state === "TERMINATED" ? "Run stopped" : "Run failed"}
      {...(firstError !== undefined && {
        action: (
          <Link
            to="/runs/$runId"
            params={{ runId }}
            search={(old) => ({ ...readRunSearch(old), tab: undefined, line: firstError })}
            replace
            onClick={() => onAsk(firstError)}
            className={linkClass}
          >
            First error: line {firstError.toLocaleString("en-GB")}
          </Link>
        ),
      })}
    >
      <span className="break-words text-mono">{error ?? read()}</span>
    </Notice>
  );
}
