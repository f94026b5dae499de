import { useState } from "react";
import type { AgentChange } from "../../../../contract/agents.ts";
import { useApi } from "../../../lib/api.tsx";
import { curlCopied, curlOf } from "../../../lib/curl.ts";
import { JsonText, JsonTree } from "../../../lib/json/JsonTree.tsx";
import { JsonActions } from "../../../lib/json/JsonView.tsx";
import { Button } from "../../../ui/Button.tsx";
import { useCopy } from "../../../ui/CopyButton.tsx";
import { Dialog } from "../../../ui/Dialog.tsx";

type Props = {
  agentId: string;
  /** The body of the PATCH, exactly. */
  body: AgentChange;
  /** What it is: "The 5 fields that you changed". */
  about: string;
};

/** Exactly what a save would send: in short beside the fields, whole behind a click, and as a line to copy. */
export function WillBeSent({ agentId, body, about }: Props) {
  const api = useApi();
  const copy = useCopy();
  const [isOpen, setOpen] = useState(false);
  const { kind, userId } = api.who;
  const copyCurl = async () => {
    const curl = curlOf({
      method: "PATCH",
      url: `${api.base}/agents/${encodeURIComponent(agentId)}`,
      ...(kind === "personal" && userId && { headers: [["x-auth-key", userId]] as const }),
      body,
    });
    await copy(curl, curlCopied);
  };
  return (
    <section aria-label="Request preview" className="border-t pt-3.5 pb-3">
      <div className="px-edge-left">
        <h3 className="font-semibold">Request preview</h3>
        <p className="text-muted text-secondary">{about}</p>
      </div>
      <pre className="mt-2 max-h-52 overflow-auto whitespace-pre-wrap break-words border-y bg-surface-sunken px-edge-left py-2 text-mono-json">
        <JsonText text={inShort(body)} />
      </pre>
      <div className="-ml-2.5 flex gap-1 px-edge-left pt-1.5">
        <Button size="small" variant="quiet" className="text-accent!" onClick={() => setOpen(true)}>
          Full JSON
        </Button>
        <Button size="small" variant="quiet" className="text-accent!" onClick={() => void copyCurl()}>
          Copy as curl
        </Button>
      </div>
      <Dialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title="Request preview"
        description={`PATCH /agents/${agentId}`}
        footer={<JsonActions value={body} what="the request" fileName={`${agentId}-change.json`} />}
      >
        <JsonTree value={body} label="Request body" />
      </Dialog>
    </section>
  );
}

/** The body on a few lines: long texts cut, lists counted. */
function inShort(body: AgentChange): string {
  const lines = Object.entries(body).map(([key, value]) => `${JSON.stringify(key)}: ${short(value)}`);
  return lines.length === 0 ? "{ }" : `{ ${lines.join(",\n  ")} }`;
}

function short(value: unknown): string {
  if (Array.isArray(value)) return `[${value.length}, whole list]`;
  if (value !== null && typeof value === "object") {
    const keys = Object.keys(value);
    return keys.length === 1 ? `{ ${JSON.stringify(keys[0])}: … }` : `{${keys.length} sections}`;
  }
  if (typeof value === "string" && value.length > 10)
    return `${JSON.stringify(value.split(/\s/)[0]?.slice(0, 9) ?? "").slice(0, -1)}…"`;
  return JSON.stringify(value) ?? "null";
}
