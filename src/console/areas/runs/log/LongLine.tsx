import { useState } from "react";
import { plainText } from "../../../lib/ansi.ts";
import { CopyButton } from "../../../ui/CopyButton.tsx";
import { Dialog } from "../../../ui/Dialog.tsx";

type Props = { raw: string; number: number; onClose: () => void };

/** Letters in a row, and rows around those in view. */
const rowLength = 80;
const rowHeight = 20;
const more = 20;

/** A line of megabytes as a whole: only the part in view exists as elements. */
export default function LongLine({ raw, number, onClose }: Props) {
  const [text] = useState(() => plainText(raw));
  const [top, setTop] = useState(0);
  const rows = Math.ceil(text.length / rowLength);
  const first = Math.max(0, Math.floor(top / rowHeight) - more);
  const shown = Array.from({ length: Math.min(rows - first, 2 * more + 30) }, (_, at) => first + at);
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={`Line ${number.toLocaleString("en-GB")}`}
      description={`${text.length.toLocaleString("en-GB")} characters, ${rowLength} in a row`}
      footer={<CopyButton text={raw} what="the whole line" look="plain" />}
    >
      <section
        aria-label="The whole line"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        onScroll={(event) => setTop(event.currentTarget.scrollTop)}
        className="focus-inset h-[50dvh] overflow-auto border bg-surface-sunken text-mono"
      >
        <div className="relative" style={{ height: rows * rowHeight }}>
          <div className="absolute left-0 px-3" style={{ top: first * rowHeight }}>
            {shown.map((row) => (
              <div key={row} className="h-5 whitespace-pre">
                {text.slice(row * rowLength, (row + 1) * rowLength).replaceAll("\n", " ")}
              </div>
            ))}
          </div>
        </div>
      </section>
    </Dialog>
  );
}
