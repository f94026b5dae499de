import X from "lucide-react/icons/x";
import { Toast as Radix } from "radix-ui";
import { type ReactNode, useMemo, useState } from "react";
import { IconButton } from "./IconButton.tsx";
import { StateShape } from "./StateShape.tsx";
import { ToastContext, type ToastMessage } from "./toastContext.ts";

/** Shows one toast at a time to everything inside it; useToast() of toastContext.ts sends one. A new one takes the place of the last. */
export function ToastHost({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<{ key: number; message: ToastMessage; isOpen: boolean }>();
  const toaster = useMemo(
    () => ({
      show: (message: ToastMessage) =>
        setShown((last) => ({ key: (last?.key ?? 0) + 1, message, isOpen: true })),
      hide: () => setShown((last) => last && { ...last, isOpen: false }),
    }),
    [],
  );
  const message = shown?.message;
  return (
    <ToastContext value={toaster}>
      <Radix.Provider label="Message" swipeDirection="down">
        {children}
        {message && (
          <Radix.Root
            key={shown.key}
            open={shown.isOpen}
            onOpenChange={(isOpen) => !isOpen && toaster.hide()}
            // What asks for an act stays until it is seen to; what failed is read at once.
            duration={message.duration ?? (message.action ? 10_000 : 5_000)}
            type={message.tone === "failed" ? "foreground" : "background"}
            className="fade-in flex items-start gap-2.5 rounded-panel border border-line bg-surface-raised px-3 py-2.5 shadow-float"
          >
            <StateShape tone={message.tone} className="mt-[3px]" />
            <div className="min-w-0 flex-1">
              <Radix.Title className="font-medium">{message.title}</Radix.Title>
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
        )}
        <Radix.Viewport className="fixed right-4 bottom-4 left-4 z-toast m-0 list-none outline-none sm:left-auto sm:w-[400px]" />
      </Radix.Provider>
    </ToastContext>
  );
}
