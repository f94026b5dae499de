import LinkIcon from "lucide-react/icons/link";
import { useCallback } from "react";
import { IconButton } from "../../ui/Button.tsx";
import { copyText } from "../../ui/CopyButton.tsx";
import { useToast } from "../../ui/Toast.tsx";

/**
 * Copies the address of what is shown, and says so. Never a secret: none is ever in an address.
 * @returns takes what is said of the copied link
 */
export function useCopyLink(): (detail: string) => Promise<void> {
  const toaster = useToast();
  return useCallback(
    async (detail: string) => {
      const isCopied = await copyText(location.href);
      toaster.show(
        isCopied
          ? { tone: "done", title: "Link copied", detail }
          : {
              tone: "failed",
              title: "The link could not be copied",
              detail: "Copy it from the address bar.",
            },
      );
    },
    [toaster],
  );
}

/** Copies the address of the page: filters, tab, line and all. */
export function CopyLink() {
  const copy = useCopyLink();
  return (
    <IconButton label="Copy link to this view" onClick={() => void copy("Anyone with access can open it.")}>
      <LinkIcon />
    </IconButton>
  );
}
