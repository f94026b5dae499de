import { useId, useState } from "react";
import { useApi } from "../../lib/api.tsx";
import { counted } from "../../lib/words.ts";
import { Button } from "../../ui/Button.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { type ImportReport, importKnown } from "./transfer/import-known.ts";

type Props = {
  report: ImportReport;
  /** The person says that these addresses are this service. */
  onSame: (services: readonly string[]) => void;
};

/** What became of an imported file, line by line where something was left out. */
export function ImportResult({ report, onSame }: Props) {
  const { added, renewed, same, apart, noRoom, elsewhere, problems, moreProblems } = report;
  const headingId = useId();
  const leftOut = problems.length + moreProblems;
  return (
    <>
      <div role="status">
        <p>
          {counted(added, "record")} added, {renewed} updated, {same} already known
          {leftOut > 0 && <>, {counted(leftOut, "line")} left out</>}.
        </p>
        {apart > 0 && (
          <p className="text-muted">
            {apart === 1
              ? "1 of them belongs to another sign-in and appears when you use it here."
              : `${apart} of them belong to other sign-ins and appear when you use those here.`}
          </p>
        )}
        {noRoom > 0 && (
          <p className="text-muted">
            {counted(noRoom, "older record")} did not fit: this browser keeps 2,000 runs and 2,000
            conversations, and imports up to 20 MB per file.
          </p>
        )}
      </div>
      {elsewhere.map(({ service, count }) => (
        <Notice
          key={service}
          kind="waits"
          look="box"
          title={`${counted(count, "record")} from another service left out`}
          action={
            <Button size="small" onClick={() => onSame([service])}>
              It’s this service
            </Button>
          }
        >
          They come from <bdi className="break-all">{service.slice(0, 200)}</bdi>. Import them only if that is
          another address of this service.
        </Notice>
      ))}
      {leftOut > 0 && (
        <div>
          <h3 id={headingId} className="text-muted text-secondary">
            Left out
          </h3>
          <ul
            aria-labelledby={headingId}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
            tabIndex={0}
            className="max-h-40 overflow-y-auto text-secondary"
          >
            {problems.map(({ line, problem }) => (
              <li key={line} className="py-0.5">
                Line {line} {problem}
              </li>
            ))}
            {moreProblems > 0 && <li className="py-0.5 text-muted">and {moreProblems} more</li>}
          </ul>
        </div>
      )}
    </>
  );
}

/** Where an import stands. `problem`: the file could not be read, in words. */
type ImportState =
  | { readonly is: "none" }
  | { readonly is: "reading"; readonly share: number }
  | { readonly is: "done"; readonly report: ImportReport; readonly file: Blob }
  | { readonly is: "failed"; readonly problem: string };

const step = 1 << 20;
const biggest = 200_000_000;

/** Takes a file into what this browser knows. */
export function useImport() {
  const api = useApi();
  const [state, setState] = useState<ImportState>({ is: "none" });

  async function* bytesOf(file: Blob) {
    for (let at = 0; at < file.size; at += step) {
      setState({ is: "reading", share: at / file.size });
      yield new Uint8Array(await file.slice(at, at + step).arrayBuffer());
    }
  }

  async function take(file: Blob, sameServices: readonly string[] = []): Promise<void> {
    if (file.size > biggest) {
      setState({ is: "failed", problem: "It is larger than 200 MB, more than any export." });
      return;
    }
    setState({ is: "reading", share: 0 });
    try {
      const report = await importKnown(bytesOf(file), {
        runs: api.history,
        conversations: api.conversations,
        as: api.id,
        service: location.origin,
        sameServices,
        now: api.clock.now(),
      });
      setState({ is: "done", report, file });
    } catch (error) {
      const said = error instanceof Error ? error.message : "";
      setState({ is: "failed", problem: `Nothing was changed. ${said ? `Browser error: ${said}` : ""}` });
    }
  }

  return { state, take };
}
