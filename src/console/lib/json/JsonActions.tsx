import Copy from "lucide-react/icons/copy";
import Download from "lucide-react/icons/download";
import { useState } from "react";
import { copyText } from "../../ui/copyText.ts";
import { IconButton } from "../../ui/IconButton.tsx";
import { useToast } from "../../ui/toastContext.ts";
import { saveBlob } from "../saveBlob.ts";
import { writeJson } from "./write.ts";

const textOf = async (value: unknown): Promise<string[]> =>
  typeof value === "string" ? [value] : writeJson(value);

/** Copies or downloads a value of any size; writing it never holds up the page. `what`: "arguments". */
export function JsonActions({ value, what, fileName }: { value: unknown; what: string; fileName: string }) {
  const toaster = useToast();
  const [isBusy, setBusy] = useState(false);
  const act = async (work: (parts: string[]) => Promise<void> | void) => {
    if (isBusy) return;
    setBusy(true);
    try {
      await work(await textOf(value));
    } finally {
      setBusy(false);
    }
  };
  const copy = () =>
    act(async (parts) => {
      const isCopied = await copyText(parts.join(""));
      toaster.show(
        isCopied
          ? { tone: "done", title: `Copied ${what}` }
          : { tone: "failed", title: `Could not copy ${what}`, detail: "Download it instead." },
      );
    });
  const type = typeof value === "string" ? "text/plain" : "application/json";
  return (
    <span className="flex">
      <IconButton size="small" label={`Copy ${what}`} loading={isBusy} onClick={copy}>
        <Copy />
      </IconButton>
      <IconButton
        size="small"
        label={`Download ${what}`}
        onClick={() => act((parts) => saveBlob(new Blob(parts, { type }), fileName))}
      >
        <Download />
      </IconButton>
    </span>
  );
}
