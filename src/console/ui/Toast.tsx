import { type ReactNode, Suspense, useMemo, useState } from "react";
import { later } from "./later.ts";
import { ToastPlain } from "./ToastPlain.tsx";
import { ToastContext, type ToastMessage } from "./toastContext.ts";

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
