import RotateCw from "lucide-react/icons/rotate-cw";
import { runAgain } from "../../../../contract/run-again.ts";
import { useApi } from "../../../lib/api.tsx";
import { curlOfCall } from "../../../lib/curl.ts";
import { StartBar } from "../start/StartBar.tsx";
import type { AgainBody } from "./again-ask.ts";
import { type AgainNodeIn, repeatsOf, summaryOf } from "./preview-groups.ts";

type Props = {
  runId: string;
  levels: readonly { readonly nodes: readonly AgainNodeIn[] }[];
  /** Null while what is typed cannot be sent. */
  body: AgainBody | null;
  /** What is shown can be started. */
  isShown: boolean;
  isStarting: boolean;
  offReason: string | undefined;
  onStart: () => void;
};

/** What will happen, in a sentence, and the button that starts it. */
export function AgainFoot({ runId, levels, body, isShown, isStarting, offReason, onStart }: Props) {
  const nodes = levels.map((level) => level.nodes);
  const repeats = repeatsOf(nodes).length;
  const api = useApi();
  return (
    <StartBar
      summary={
        isShown &&
        nodes.length > 0 && (
          <>
            <strong className="font-semibold">{summaryOf(nodes)}</strong>
            {repeats > 0 && (
              <span className="text-state-stopped-fg">
                {" "}
                {repeats === 1 ? "1 may happen twice." : `${repeats} may happen twice.`}
              </span>
            )}
          </>
        )
      }
      curl={body && (() => curlOfCall(api, runAgain, { params: { run_id: runId }, body }))}
      icon={<RotateCw />}
      onClick={onStart}
      loading={isStarting}
      disabledReason={offReason}
    >
      Run again
    </StartBar>
  );
}
