import { Button } from "./Button.tsx";
import { StateShape } from "./StateShape.tsx";
import type { ToastMessage } from "./toastContext.ts";

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
