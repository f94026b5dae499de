import Play from "lucide-react/icons/play";
import { useApi } from "../../../lib/api.tsx";
import { curlOf } from "../../../lib/curl.ts";
import { counted } from "../../../lib/words.ts";
import { Button } from "../../../ui/Button.tsx";
import { copyText } from "../../../ui/CopyButton.tsx";
import { useToast } from "../../../ui/Toast.tsx";
import { missingInputs, type Routing } from "./routing.ts";

type Props = {
  /** Which input gets what; null while the body cannot be read. */
  routing: Routing | null;
  /** The inputs of the flow are not known. */
  isUnknown: boolean;
  curl: CurlProps;
  isStarting: boolean;
  /** Why it cannot start yet. */
  offReason: string | undefined;
  onStart: () => void;
};

/** What will be started, in a sentence, and the button that starts it. */
export function StartFoot({ routing, isUnknown, curl, isStarting, offReason, onStart }: Props) {
  return (
    <footer className="flex min-h-14 shrink-0 flex-wrap items-center gap-2 border-t py-2 pr-edge-right pl-edge-left">
      <p className="min-w-0 flex-1 basis-52">
        <Summary routing={routing} isUnknown={isUnknown} />
      </p>
      <CopyCurl {...curl} />
      <Button
        variant="primary"
        icon={<Play />}
        onClick={onStart}
        loading={isStarting}
        disabledReason={offReason}
      >
        Start run
      </Button>
    </footer>
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

type CurlProps = {
  flowId: string;
  /** The body, as the start sends it. */
  text: string;
  projectId: string | null;
};

/** The same start for a shell, with the key as `$WHEELHOUSE_KEY`. */
function CopyCurl({ flowId, text, projectId }: CurlProps) {
  const api = useApi();
  const toaster = useToast();
  const copy = async () => {
    const url = new URL(`${api.base}/start_pipeline`, location.href);
    url.searchParams.set("saved_item_id", flowId);
    if (api.who.userId) url.searchParams.set("user_id", api.who.userId);
    if (projectId !== null) url.searchParams.set("project_id", projectId);
    const isCopied = await copyText(curlOf({ method: "POST", url: url.href, text }));
    toaster.show(
      isCopied
        ? {
            tone: "done",
            title: "Copied as curl",
            detail: "Your key is not included: set WHEELHOUSE_KEY in your shell.",
          }
        : { tone: "failed", title: "Could not copy" },
    );
  };
  return (
    <Button variant="quiet" onClick={copy} className="max-sm:hidden">
      Copy as curl
    </Button>
  );
}
