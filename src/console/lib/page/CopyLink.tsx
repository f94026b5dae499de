import LinkIcon from "lucide-react/icons/link";
import { useCallback } from "react";
import { IconButton } from "../../ui/Button.tsx";
import { useCopy } from "../../ui/CopyButton.tsx";

/**
 * Copies the address of what is shown, and says so. Never a secret: none is ever in an address.
 * @returns takes what is said of the copied link
 */
export function useCopyLink(): (detail: string) => Promise<void> {
  const copy = useCopy();
  return useCallback((detail) => copy(location.href, { title: "Link copied", detail }, failed), [copy]);
}

const failed = { title: "The link could not be copied", detail: "Copy it from the address bar." };

/** Copies the address of the page: filters, tab, line and all. */
export function CopyLink() {
  const copy = useCopyLink();
  return (
    <IconButton label="Copy link to this view" onClick={() => void copy("Anyone with access can open it.")}>
      <LinkIcon />
    </IconButton>
  );
}
