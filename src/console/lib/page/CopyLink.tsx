import LinkIcon from "lucide-react/icons/link";
import { IconButton } from "../../ui/Button.tsx";
import { copyText } from "../../ui/CopyButton.tsx";
import { useToast } from "../../ui/Toast.tsx";

/** Copies the address of what is shown: filters, tab, line and all. Never a secret: none is ever in an address. */
export function CopyLink() {
  const toaster = useToast();
  const copy = async () => {
    const isCopied = await copyText(location.href);
    toaster.show(
      isCopied
        ? { tone: "done", title: "Link copied", detail: "Anyone with access can open it." }
        : { tone: "failed", title: "The link could not be copied", detail: "Copy it from the address bar." },
    );
  };
  return (
    <IconButton label="Copy link to this view" onClick={copy}>
      <LinkIcon />
    </IconButton>
  );
}
