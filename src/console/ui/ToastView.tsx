import X from "lucide-react/icons/x";
import * as Radix from "radix-ui/toast";
import { IconButton } from "./Button.tsx";
import { StateShape } from "./State.tsx";
import type { ToastMessage } from "./Toast.tsx";

/** The shown toast: read aloud, kept while the pointer or the focus is on it, swiped away or closed by Escape; F8 leads to it. */
export default function ToastView({ message, onClose }: { message: ToastMessage; onClose: () => void }) {
  return (
    <Radix.Provider label="Message" swipeDirection="down">
      <Radix.Root
        open
        onOpenChange={(isOpen) => !isOpen && onClose()}
        // What asks for an act stays longer; what failed is read at once.
        duration={message.duration ?? (message.action ? 10_000 : 5_000)}
        type={message.tone === "failed" ? "foreground" : "background"}
        className={toastClass}
      >
        <StateShape tone={message.tone} className="mt-[3px]" />
        <div className="min-w-0 flex-1">
          <Radix.Title className="font-medium">
            {message.title}
            {/* What is read aloud is put together without a pause. */}
            <span className="sr-only">. </span>
          </Radix.Title>
          {message.detail !== undefined && (
            <Radix.Description className="text-muted text-secondary">{message.detail}</Radix.Description>
          )}
        </div>
        {message.action && (
          <Radix.Action
            altText={message.action.altText}
            onClick={message.action.onAct}
            className="rounded-tag px-1 font-medium text-accent text-secondary leading-5 hover:text-accent-hover"
          >
            {message.action.label}
          </Radix.Action>
        )}
        <Radix.Close asChild>
          <IconButton size="small" label="Close message" className="-my-0.5 -mr-1.5">
            <X />
          </IconButton>
        </Radix.Close>
      </Radix.Root>
      <Radix.Viewport className="corner m-0 list-none outline-none" />
    </Radix.Provider>
  );
}

const toastClass =
  "fade-in flex items-start gap-2.5 rounded-panel border border-line bg-surface-raised px-3 py-2.5 shadow-float";
