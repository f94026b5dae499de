import { createRoot } from "react-dom/client";
import "./parts.css";
import { Button } from "../../console/ui/Button.tsx";

const root = document.getElementById("root");
if (root)
  createRoot(root).render(
    <div className="p-4 text-title text-red-500">
      <Button variant="primary">Start a run</Button> <Button disabledReason="one check left">Sign in</Button>
      <Button loading size="small">
        Saving
      </Button>
      <code className="text-mono">0O a</code>
    </div>,
  );
