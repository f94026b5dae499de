import { useNavigate } from "@tanstack/react-router";
import Ellipsis from "lucide-react/icons/ellipsis";
import { useApi } from "../../../lib/api/api-context.tsx";
import { curlOf } from "../../../lib/curl.ts";
import { useRunWatch } from "../../../lib/watch/useWatch.ts";
import { copyText } from "../../../ui/copyText.ts";
import { IconButton } from "../../../ui/IconButton.tsx";
import { Menu, MenuItem } from "../../../ui/Menu.tsx";
import { useToast } from "../../../ui/toastContext.ts";
import { requestOfRun } from "../raw-run.ts";

type Props = {
  runId: string;
  flowId: string | null;
  /** Everything, on phones; else only what has no button of its own. */
  isWhole: boolean;
  /** It has not ended. */
  isMoving: boolean;
  /** Given where the run can be killed. */
  onKill?: () => void;
  onRaw: () => void;
};

/** The acts on a run where there is no room for buttons; what cannot be undone first, because it is what hurries. */
export default function RunMenu({ runId, flowId, isWhole, isMoving, onKill, onRaw }: Props) {
  const api = useApi();
  const navigate = useNavigate();
  const toaster = useToast();
  const watch = useRunWatch(runId);
  const copy = async (text: string, title: string, detail?: string) => {
    const isCopied = await copyText(text);
    toaster.show(
      isCopied
        ? { tone: "done", title, ...(detail !== undefined && { detail }) }
        : { tone: "failed", title: "It could not be copied" },
    );
  };
  const copyCurl = () => {
    const { method, url } = requestOfRun(api, runId);
    return copy(
      curlOf({ method, url }),
      "Copied as curl",
      "The key is not in it: set WHEELHOUSE_KEY in your shell.",
    );
  };
  return (
    <Menu
      align="end"
      trigger={
        <IconButton label="More" variant={isWhole ? "quiet" : "plain"}>
          <Ellipsis />
        </IconButton>
      }
    >
      {isWhole && onKill && (
        <MenuItem isDanger onSelect={onKill}>
          Kill run
        </MenuItem>
      )}
      {isWhole && flowId !== null && (
        <MenuItem onSelect={() => void navigate({ to: "/runs/new", search: { flow: flowId, from: runId } })}>
          Run again
        </MenuItem>
      )}
      {isWhole && (
        <MenuItem onSelect={() => void navigate({ to: "/runs/compare", search: { b: runId } })}>
          Compare with a good run
        </MenuItem>
      )}
      {(isMoving || watch.isWatched) && (
        <MenuItem onSelect={watch.toggle}>{watch.isWatched ? "Stop watching" : "Watch this run"}</MenuItem>
      )}
      <MenuItem onSelect={() => void copyCurl()}>Copy as curl</MenuItem>
      <MenuItem onSelect={onRaw}>Show the raw answer</MenuItem>
      {isWhole && (
        <MenuItem onSelect={() => void copy(location.href, "Link copied")}>Copy link to this view</MenuItem>
      )}
    </Menu>
  );
}
