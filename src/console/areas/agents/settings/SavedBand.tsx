import Check from "lucide-react/icons/check";
import X from "lucide-react/icons/x";
import { JsonView } from "../../../lib/json/JsonView.tsx";
import { CopyButton } from "../../../ui/CopyButton.tsx";
import { cx } from "../../../ui/cx.ts";
import { IconButton } from "../../../ui/IconButton.tsx";
import { droppedKeys } from "../agent/compare-answer.ts";
import type { Saved } from "./useSaver.ts";
import { countWords, listWords } from "./words.ts";

const kinds = { dropped: "not kept", changed: "kept as another value", added: "put in by the service" };

/** What came back after a save, against what was sent; keys that the service dropped are named. */
export function SavedBand({ saved, onClose }: { saved: Saved; onClose: () => void }) {
  const { version, differences } = saved;
  const dropped = droppedKeys(differences);
  const isEven = differences.length === 0;
  return (
    <div
      role="status"
      className={cx(
        "flex shrink-0 items-start gap-2 border-b py-2.5 pr-edge-right pl-edge-left",
        isEven ? "border-state-done-line bg-state-done-bg" : "border-state-stopped-line bg-state-stopped-bg",
      )}
    >
      <Check className="mt-[3px] text-state-done-mark" />
      <div className="min-w-0 flex-1">
        <p>
          <strong className="font-semibold">
            {version === null ? "Saved." : `Saved as version ${version}.`}
          </strong>{" "}
          {isEven
            ? null
            : dropped.length > 0
              ? `The service did not keep ${listWords(dropped)}.`
              : `${countWords(differences.length, "value")} came back otherwise.`}
        </p>
        {!isEven && (
          <details className="mt-1">
            <summary className="rounded-tag text-muted text-secondary">What changed on the way</summary>
            <ul className="mt-1.5 grid max-h-[36vh] gap-2 overflow-y-auto">
              {differences.map(({ kind, path, sent, got }) => (
                <li key={path} className="min-w-0">
                  <code className="break-all text-mono">{path}</code>{" "}
                  <span className="text-muted text-secondary">{kinds[kind]}</span>
                  <div className="flex flex-wrap gap-x-6 gap-y-1">
                    {sent !== undefined && <Side name="Sent" value={sent} />}
                    {kind !== "dropped" && <Side name="Came back" value={got} />}
                  </div>
                </li>
              ))}
            </ul>
          </details>
        )}
      </div>
      {!isEven && (
        <CopyButton
          text={JSON.stringify(
            differences.map(({ kind, path, sent, got }) => ({ kind, path, sent, got })),
            null,
            2,
          )}
          what="what changed on the way"
        />
      )}
      <IconButton size="small" label="Close" onClick={onClose}>
        <X />
      </IconButton>
    </div>
  );
}

function Side({ name, value }: { name: string; value: unknown }) {
  return (
    <div className="flex min-w-0 items-baseline gap-2">
      <span className="text-muted text-secondary">{name}</span>
      <JsonView value={value} label={name} />
    </div>
  );
}
