import { useEffect } from "react";
import { ToastHost } from "../../ui/Toast.tsx";
import { type ToastMessage, useToast } from "../../ui/toastContext.ts";

/** Shows the newest toast. */
export default function ToastView(props: { number: number; message: ToastMessage | null }) {
  return (
    <ToastHost>
      <Pass {...props} />
    </ToastHost>
  );
}

function Pass({ number, message }: { number: number; message: ToastMessage | null }) {
  const toaster = useToast();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same words twice are two toasts
  useEffect(() => {
    if (message) toaster.show(message);
    else toaster.hide();
  }, [number, message, toaster]);
  return null;
}
