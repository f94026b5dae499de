import { createContext, type ReactNode, Suspense, use, useMemo, useState } from "react";
import { Button } from "./Button.tsx";
import { later } from "./later.ts";
import { StateShape, type Tone } from "./State.tsx";

const ToastView = later(() => import("./ToastView.tsx").catch(() => ({ default: ToastPlain })));

/**
 * Shows one toast at a time to everything inside it; `useToast()` of toastContext.ts sends one, and a new one takes the
 * place of the last. The code that draws it is loaded with the first message.
 */
export function ToastHost({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<{ key: number; message: ToastMessage | null }>({
    key: 0,
    message: null,
  });
  const toaster = useMemo(
    () => ({
      show: (message: ToastMessage) => setShown((last) => ({ key: last.key + 1, message })),
      hide: () => setShown((last) => ({ ...last, message: null })),
    }),
    [],
  );
  return (
    <ToastContext value={toaster}>
      {children}
      {shown.message && (
        <Suspense fallback={null}>
          <ToastView key={shown.key} message={shown.message} onClose={toaster.hide} />
        </Suspense>
      )}
    </ToastContext>
  );
}

export type ToastMessage = {
  tone: Tone;
  /** What happened. */
  title: ReactNode;
  /** What it means, or what comes next. */
  detail?: ReactNode;
  /** The one act: Undo where an inverse exists, Retry, Show. `altText` says how else it can be reached. */
  action?: { label: string; altText: string; onAct: () => void };
  /** In ms; 5 s, and 10 s with an act, when not given. */
  duration?: number;
};

export type Toaster = { show: (message: ToastMessage) => void; hide: () => void };

const nowhere: Toaster = { show: () => {}, hide: () => {} };

const ToastContext = createContext<Toaster>(nowhere);

/** Sends toasts to the nearest ToastHost; outside of one they go nowhere. */
export function useToast(): Toaster {
  return use(ToastContext);
}

/** What stands in for ToastView when its code could not be loaded, which is likeliest when a message about it is due: offline. */
export function ToastPlain({ message, onClose }: { message: ToastMessage; onClose: () => void }) {
  return (
    <div role={message.tone === "failed" ? "alert" : "status"} className="corner notice">
      <StateShape tone={message.tone} />
      <p className="min-w-0 flex-1">
        <span className="block font-medium">{message.title}</span>
        <span className="block text-muted text-secondary">{message.detail}</span>
      </p>
      {message.action && (
        <Button
          size="small"
          onClick={() => {
            onClose();
            message.action?.onAct();
          }}
        >
          {message.action.label}
        </Button>
      )}
      <Button size="small" variant="quiet" onClick={onClose}>
        Close
      </Button>
    </div>
  );
}
