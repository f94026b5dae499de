import { useMutation, useQuery } from "@tanstack/react-query";
import { describeState, runStates } from "../../../../contract/states.ts";
import { useApi } from "../../../lib/api.tsx";
import { NotDone } from "../../../lib/failure/Failure.tsx";
import { ConfirmDialog } from "../../../ui/Dialog.tsx";
import { useToast } from "../../../ui/Toast.tsx";
import { runMutations } from "../mutations.ts";
import { runQueries } from "../queries.ts";

type Props = {
  runId: string;
  name: string;
  /** Names of the sub-runs that still move; null where they are not known. */
  subRuns: readonly string[] | null;
  onClose: () => void;
};

/** Asks before a run is killed, and says what goes with it. */
export function KillDialog({ runId, name, subRuns, onClose }: Props) {
  const api = useApi();
  const toaster = useToast();
  const kill = useMutation(runMutations.kill(api));
  const act = async () => {
    // Its own callbacks would be forgotten with the dialog, which goes as soon as the run has ended.
    const answer = await kill.mutateAsync(runId).catch(() => null);
    if (answer === null) return;
    onClose();
    toaster.show(
      answer.ended
        ? {
            tone: "stopping",
            title: <StopWords runId={runId} asked="Stop requested" ended={(state) => `Run ${state}`} />,
            detail: (
              <StopWords
                runId={runId}
                asked={`${name} shows as stopped once the service confirms.`}
                ended={() => name}
              />
            ),
          }
        : { tone: "waiting", title: "The run had already ended", detail: "Nothing was changed." },
    );
  };
  return (
    <ConfirmDialog
      onClose={() => !kill.isPending && onClose()}
      title={`Stop this run of ${name}?`}
      consequence={`This stops ${withSubRuns(subRuns)}. What its nodes have already done stays done, but there are no outputs. A stopped run can’t be resumed, only run again.`}
      action="Stop run"
      isPending={kill.isPending}
      onConfirm={() => void act()}
      error={kill.isError && <NotDone error={kill.error} title="The run could not be stopped" />}
    />
  );
}

type StopWordsProps = { runId: string; asked: string; ended: (state: string) => string };

/** What a message says of a stop: that it was asked for, and of a run that the page then sees to have ended, how. */
function StopWords({ runId, asked, ended }: StopWordsProps) {
  // The page reads the run; a message asks for nothing.
  const { data } = useQuery({ ...runQueries.run(useApi(), runId), enabled: false });
  const { terminal, title } = describeState(runStates, data?.data.state ?? null);
  return terminal ? ended(title.toLowerCase()) : asked;
}

const named = 4;

function withSubRuns(names: readonly string[] | null): string {
  if (names === null) return "the run and all its sub-runs";
  if (names.length === 0) return "the run. It has no active sub-runs";
  if (names.length === 1) return `the run and its sub-run ${names[0]}`;
  const rest = names.length - named;
  const list = names.slice(0, named).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
  return `the run and its ${names.length} sub-runs: ${list}`;
}
