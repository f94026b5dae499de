import { useNavigate } from "@tanstack/react-router";
import Ellipsis from "lucide-react/icons/ellipsis";
import { copyText } from "../../../ui/copyText.ts";
import { IconButton } from "../../../ui/IconButton.tsx";
import { Menu, MenuItem } from "../../../ui/Menu.tsx";
import { useToast } from "../../../ui/toastContext.ts";

type Props = {
  runId: string;
  flowId: string | null;
  /** Given where the run can be killed. */
  onKill?: () => void;
};

/** The acts on a run where there is no room for buttons; what cannot be undone first, because it is what hurries. */
export default function RunMenu({ runId, flowId, onKill }: Props) {
  const navigate = useNavigate();
  const toaster = useToast();
  const copy = async () => {
    const isCopied = await copyText(location.href);
    toaster.show(
      isCopied
        ? { tone: "done", title: "Link copied" }
        : { tone: "failed", title: "The link could not be copied" },
    );
  };
  return (
    <Menu
      align="end"
      trigger={
        <IconButton label="More">
          <Ellipsis />
        </IconButton>
      }
    >
      {onKill && (
        <MenuItem isDanger onSelect={onKill}>
          Kill run
        </MenuItem>
      )}
      {flowId !== null && (
        <MenuItem onSelect={() => void navigate({ to: "/runs/new", search: { flow: flowId, from: runId } })}>
          Run again
        </MenuItem>
      )}
      <MenuItem onSelect={() => void copy()}>Copy link to this view</MenuItem>
    </Menu>
  );
}
