import { lazy, type ReactNode, Suspense, useMemo, useState } from "react";
import { ToastContext, type ToastMessage } from "../../ui/toastContext.ts";

const ToastView = lazy(() => import("./ToastView.tsx"));

/** Takes toasts from all below; what shows them is loaded with the first one. */
export function Toasts({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<{ readonly key: number; readonly message: ToastMessage | null }>();
  const toaster = useMemo(
    () => ({
      show: (message: ToastMessage) => setShown((last) => ({ key: (last?.key ?? 0) + 1, message })),
      hide: () => setShown((last) => last && { key: last.key, message: null }),
    }),
    [],
  );
  return (
    <ToastContext value={toaster}>
      {children}
      {shown && (
        <Suspense fallback={null}>
          <ToastView number={shown.key} message={shown.message} />
        </Suspense>
      )}
    </ToastContext>
  );
}
