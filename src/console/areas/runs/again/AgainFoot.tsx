import RotateCw from "lucide-react/icons/rotate-cw";
import { useApi } from "../../../lib/api.tsx";
import { curlOf } from "../../../lib/curl.ts";
import { Button } from "../../../ui/Button.tsx";
import { copyText } from "../../../ui/CopyButton.tsx";
import { useToast } from "../../../ui/Toast.tsx";
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
  return (
    <footer className="flex min-h-14 shrink-0 flex-wrap items-center gap-2 border-t py-2 pr-edge-right pl-edge-left">
      <p className="min-w-0 flex-1 basis-52">
        {isShown && nodes.length > 0 && (
          <>
            <strong className="font-semibold">{summaryOf(nodes)}</strong>
            {repeats > 0 && (
              <span className="text-state-stopped-fg">
                {" "}
                {repeats === 1 ? "1 may happen twice." : `${repeats} may happen twice.`}
              </span>
            )}
          </>
        )}
      </p>
      {body !== null && <CopyCurl runId={runId} body={body} />}
      <Button
        variant="primary"
        icon={<RotateCw />}
        onClick={onStart}
        loading={isStarting}
        disabledReason={offReason}
      >
        Run again
      </Button>
    </footer>
  );
}

/** The same start for a shell, with the key as `$WHEELHOUSE_KEY`. */
function CopyCurl({ runId, body }: { runId: string; body: AgainBody }) {
  const api = useApi();
  const toaster = useToast();
  const copy = async () => {
    const { href: url } = new URL(`${api.base}/runs/${encodeURIComponent(runId)}/again`, location.href);
    const isCopied = await copyText(curlOf({ method: "POST", url, body }));
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
