import { createContext, type ReactNode, use } from "react";
import type { Tone } from "./tone.ts";

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

export const ToastContext = createContext<Toaster>(nowhere);

/** Sends toasts to the nearest ToastHost; outside of one they go nowhere. */
export function useToast(): Toaster {
  return use(ToastContext);
}
