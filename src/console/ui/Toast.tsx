import { createContext, type ReactNode, Suspense, use, useMemo, useState } from "react";
import { Button } from "./Button.tsx";
import { later } from "./later.ts";
import { StateShape, type Tone } from "./State.tsx";

const ToastView = later(() => import("./ToastView.tsx").catch(() => ({ default: ToastPlain })));

/**
 * Shows one toast at a time to everything inside it; `useToast()` sends one, and a new one takes the place of the last. One of a
 * failure stays until it is closed or its time is over: what comes meanwhile is shown after it. The code that draws it is
 * loaded with the first message.
 */
export function ToastHost({ children }: { children: ReactNode }) {
  const [[message, ...next], set] = useState<readonly Shown[]>([]);
  const toaster = useMemo(
    () => ({
      show: (message: ToastMessage) =>
        set((shown) => [
          ...shown.filter(({ tone }) => tone === "failed"),
          { ...message, key: Math.random() },
        ]),
    }),
    [],
  );
  return (
    <ToastContext value={toaster}>
      {children}
      {message && (
        <Suspense fallback={null}>
          <ToastView key={message.key} message={message} onClose={() => set(next)} />
        </Suspense>
      )}
    </ToastContext>
  );
}

type Shown = ToastMessage & { readonly key: number };

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

export type Toaster = { show: (message: ToastMessage) => void };

const ToastContext = createContext<Toaster>({ show() {} });

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
