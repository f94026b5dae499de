import Play from "lucide-react/icons/play";
import { startPipeline } from "../../../../contract/start-pipeline.ts";
import { useApi } from "../../../lib/api.tsx";
import { curlOfCall } from "../../../lib/curl.ts";
import { counted } from "../../../lib/words.ts";
import { missingInputs, type Routing } from "./routing.ts";
import { StartBar } from "./StartBar.tsx";

type Props = {
  /** Which input gets what; null while the body cannot be read. */
  routing: Routing | null;
  /** The inputs of the flow are not known. */
  isUnknown: boolean;
  /** What the line for a shell needs. */
  curl: {
    flowId: string;
    /** The body, as the start sends it. */
    text: string;
    projectId: string | null;
  };
  isStarting: boolean;
  /** Why it cannot start yet. */
  offReason: string | undefined;
  onStart: () => void;
};

/** What will be started, in a sentence, and the button that starts it. */
export function StartFoot({ routing, isUnknown, curl, isStarting, offReason, onStart }: Props) {
  const api = useApi();
  const line = () => {
    const { flowId, text, projectId } = curl;
    const { userId } = api.who;
    const owner = { ...(userId && { user_id: userId }), ...(projectId && { project_id: projectId }) };
    return curlOfCall(api, startPipeline, { query: { saved_item_id: flowId, ...owner }, body: {} }, text);
  };
  return (
    <StartBar
      summary={<Summary routing={routing} isUnknown={isUnknown} />}
      curl={line}
      icon={<Play />}
      onClick={onStart}
      loading={isStarting}
      disabledReason={offReason}
    >
      Start run
    </StartBar>
  );
}

function Summary({ routing, isUnknown }: Pick<Props, "routing" | "isUnknown">) {
  if (routing === null) return <strong className="font-semibold">The body is not valid yet.</strong>;
  const { inputs, strays } = routing;
  const missing = missingInputs({ inputs }).length;
  if (missing > 0) {
    return (
      <strong className="font-semibold">
        {counted(missing, "required input is", "required inputs are")} empty.
      </strong>
    );
  }
  if (strays.length > 0 && inputs.length > 0) {
    return (
      <>
        <strong className="font-semibold">
          {counted(strays.length, "field matches", "fields match")} no input.
        </strong>{" "}
        <span className="text-muted">You can start anyway.</span>
      </>
    );
  }
  const set = inputs.filter((input) => input.origin.from !== "nothing").length;
  const left = inputs.length - set;
  if (isUnknown) return <span className="text-muted">Inputs unknown; you can start with a body.</span>;
  if (inputs.length === 0) return <span className="text-muted">No inputs.</span>;
  return (
    <strong className="font-semibold">
      {counted(set, "input")} set
      {left > 0 && `, ${left} left to defaults`}.
    </strong>
  );
}
