import * as Radix from "radix-ui/dialog";
import type { ReactNode } from "react";
import { useFocusReturn } from "./Dialog.tsx";

/** The sidebar over the page, on phones. Loaded when it is first opened; following a link in it closes it. */
export default function Drawer({ children, onClose }: { children: ReactNode; onClose: () => void }) {
  const focusReturn = useFocusReturn();
  return (
    <Radix.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fade-in fixed inset-0 z-drawer bg-scrim" />
        <Radix.Content
          {...focusReturn}
          aria-describedby={undefined}
          className="fade-in fixed inset-y-0 left-0 z-drawer w-[280px] max-w-[85vw] shadow-dialog outline-none"
          onClick={(event) => event.target instanceof Element && event.target.closest("a") && onClose()}
        >
          <Radix.Title className="sr-only">Navigation</Radix.Title>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
