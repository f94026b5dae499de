import type { ReactNode } from "react";
import { Dialog } from "../../ui/Dialog.tsx";

/** Turns, files and find over the page, where there is no room beside it. */
export default function RailSheet({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  return (
    <Dialog isOpen isNarrow onOpenChange={(isOpen) => !isOpen && onClose()} title="In this conversation">
      <div className="-mx-4 sm:-mx-5">{children}</div>
    </Dialog>
  );
}
