import { useApi } from "../../../lib/api/api-context.tsx";
import { curlOf } from "../../../lib/curl.ts";
import { Button } from "../../../ui/Button.tsx";
import { copyText } from "../../../ui/copyText.ts";
import { useToast } from "../../../ui/toastContext.ts";

type Props = {
  flowId: string;
  /** The body, as the start sends it. */
  text: string;
  projectId: string | null;
};

/** The same start for a shell, with the key as `$WHEELHOUSE_KEY`. */
export function CopyCurl({ flowId, text, projectId }: Props) {
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
            detail: "The key is not in it: set WHEELHOUSE_KEY in your shell.",
          }
        : { tone: "failed", title: "It could not be copied" },
    );
  };
  return (
    <Button variant="quiet" onClick={copy} className="max-sm:hidden">
      Copy as curl
    </Button>
  );
}
