import { useMutation } from "@tanstack/react-query";
import { useApi } from "../../../lib/api.tsx";
import { Failure } from "../../../lib/failure/Failure.tsx";
import { ConfirmDialog } from "../../../ui/Dialog.tsx";
import { useToast } from "../../../ui/Toast.tsx";
import { runMutations } from "../mutations.ts";

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
  const act = () => {
    kill.mutate(runId, {
      onSuccess: ({ ended }) => {
        onClose();
        toaster.show(
          ended
            ? {
                tone: "stopping",
                title: "Kill requested",
                detail: `${name} is still shown as it is until the service says it has ended.`,
              }
            : { tone: "waiting", title: "It had ended already", detail: "Nothing was changed." },
        );
      },
    });
  };
  return (
    <ConfirmDialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={`Kill this run of ${name}?`}
      consequence={`It stops ${withSubRuns(subRuns)}. What its nodes have done already stays done; there are no outputs. It cannot go on afterwards, only be run again.`}
      action="Kill run"
      isPending={kill.isPending}
      onConfirm={act}
      error={kill.isError && <Failure error={kill.error} what="The answer to the kill" />}
    />
  );
}

const named = 4;

function withSubRuns(names: readonly string[] | null): string {
  if (names === null) return "the run, and every sub-run that it has started";
  if (names.length === 0) return "the run; it has no sub-runs that still move";
  if (names.length === 1) return `the run and its sub-run ${names[0]}`;
  const rest = names.length - named;
  const list = names.slice(0, named).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
  return `the run and its ${names.length} sub-runs: ${list}`;
}
