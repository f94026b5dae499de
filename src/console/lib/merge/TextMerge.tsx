import Check from "lucide-react/icons/check";
import { type ReactNode, useState } from "react";
import { Button } from "../../ui/Button.tsx";
import { cx } from "../../ui/cx.ts";
import { Textarea } from "../../ui/Field.tsx";
import { Segmented } from "../../ui/Segmented.tsx";
import { wordDiff } from "../diff/words.tsx";
import { Blank, ChunkLines, Words } from "./ChunkLines.tsx";
import { type Choice, chosenLines } from "./merge-record.ts";
import { mergeText, type TextChunk, type TextConflict } from "./merge-text.ts";
import type { Leaf } from "./merge-value.ts";
import { openConflictProps } from "./open-conflict.ts";
import type { MergeView } from "./useMerge.ts";

export type TextShow = "merged" | "sides" | "result";

type TextMergeProps = { view: MergeView; leaf: Leaf; label: string; show: TextShow };

/** A merged text: its lines with whose they are, both sides beside each other, or only what comes of it. */
export function TextMerge({ view, leaf, label, show }: TextMergeProps) {
  const chunks = leaf.chunks ?? settledLines(leaf);
  if (show === "result")
    return (
      <section aria-label={`Result of ${label}`}>
        <Plain text={chunks.flatMap((chunk) => chosenLines(chunk, view.choices)).join("\n")} />
      </section>
    );
  if (show === "sides")
    return (
      <div className="grid gap-4 p-4 sm:grid-cols-2">
        {sides.map((side) => (
          <section key={side} aria-label={titles[side]} className="min-w-0">
            <h4 className="mb-1 font-semibold">
              {titles[side]}{" "}
              <span className="font-normal text-muted text-secondary">
                {side === "mine" ? view.mineAbout : view.theirsAbout}
              </span>
            </h4>
            <Plain text={typeof leaf[side] === "string" ? leaf[side] : ""} />
          </section>
        ))}
      </div>
    );
  return (
    <ChunkLines
      chunks={chunks}
      label={label}
      lengthOf={(chunk) => chosenLines(chunk, view.choices).length}
      conflict={(chunk, line) => <ConflictBox label={label} chunk={chunk} line={line} view={view} />}
    />
  );
}

/** The three ways to look at a merged text. */
export function TextViews({ show, onShow }: { show: TextShow; onShow: (show: TextShow) => void }) {
  return (
    <Segmented
      label="Text view"
      className="max-sm:w-full"
      options={[
        { value: "merged", label: "Merged" },
        { value: "sides", label: "Side by side" },
        { value: "result", label: "Result only" },
      ]}
      value={show}
      onChange={onShow}
    />
  );
}

function Plain({ text }: { text: string }) {
  return (
    <div className="whitespace-pre-wrap break-words px-4 py-2 [overflow-wrap:anywhere]">
      {text === "" ? <span className="text-faint">empty</span> : text}
    </div>
  );
}

/** A text that both did not change differently, as the lines of a merge. */
function settledLines({ kind, base, theirs, mine, merged }: Leaf): readonly TextChunk[] {
  const textOf = (value: unknown) => (typeof value === "string" ? value : null);
  const split = (value: unknown) => textOf(value)?.split("\n") ?? [];
  // Not all of them are texts: there are no lines to go by.
  if (kind === "conflict") return [{ kind: "mine", base: split(base), lines: split(merged) }];
  return mergeText(textOf(base), textOf(theirs), textOf(mine), String).chunks;
}

type Props = {
  /** The text that the lines are of. */
  label: string;
  chunk: TextConflict;
  /** Where these lines begin in the result. */
  line: number;
  view: MergeView;
};

/** Lines that both changed: what stood there, both sides to read, and the ways to decide. Nothing disappears by a choice. */
function ConflictBox({ label, chunk, line, view }: Props) {
  const { baseName } = view;
  const choice = view.choices[chunk.id];
  const onChoose = (next: Choice | null) => view.choose([chunk.id], next);
  const [isWriting, setWriting] = useState(false);
  const [text, setText] = useState(() =>
    typeof choice === "object" && typeof choice.write === "string"
      ? choice.write
      : [...chunk.mine, ...chunk.theirs].join("\n"),
  );
  const isChosen = choice !== undefined;
  const written = typeof choice === "object";
  const last = line + Math.max(1, chunk.mine.length) - 1;
  const pick = (next: Choice) => {
    setWriting(false);
    onChoose(next);
  };
  return (
    <section
      aria-label={`${label}, line ${line}, changed by both`}
      {...(!isChosen && openConflictProps)}
      className={cx(
        "my-1.5 border-y px-4 py-2.5",
        isChosen
          ? "border-line shadow-[inset_2px_0_var(--accent-solid)]"
          : "border-state-stopped-line shadow-[inset_2px_0_var(--state-stopped-mark)]",
      )}
    >
      <header className="mb-2 flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <strong className={cx("font-semibold", isChosen ? "text-accent" : "text-state-stopped-fg")}>
          {last === line ? `Line ${line} was` : `Lines ${line} to ${last} were`} changed by both
        </strong>
        <span className="min-w-0 flex-1 truncate text-muted text-secondary max-sm:basis-full max-sm:whitespace-normal">
          {chunk.base.length === 0 ? `${baseName} was empty here` : `${baseName}: “${chunk.base.join(" ")}”`}
        </span>
        <Button size="small" variant="quiet" aria-pressed={choice === "both"} onClick={() => pick("both")}>
          {choice === "both" && <Check />}
          Use both, yours first
        </Button>
        <Button
          size="small"
          variant="quiet"
          aria-expanded={isWriting}
          aria-pressed={written}
          onClick={() => setWriting(true)}
        >
          {written && <Check />}
          Rewrite
        </Button>
        {isChosen && (
          <Button size="small" variant="quiet" onClick={() => onChoose(null)}>
            Undo choice
          </Button>
        )}
      </header>
      <div className="grid gap-x-5 gap-y-3 sm:grid-cols-2">
        {sides.map((side) => (
          <Side
            key={side}
            side={side}
            about={side === "mine" ? view.mineAbout : view.theirsAbout}
            chunk={chunk}
            isChosen={choice === side}
            onPick={() => pick(side)}
          />
        ))}
      </div>
      {isWriting && (
        <div className="mt-3">
          <Textarea
            aria-label="Rewritten lines"
            value={text}
            rows={3}
            autoFocus
            onChange={(event) => setText(event.target.value)}
          />
          <div className="mt-1.5 flex justify-end gap-2">
            <Button size="small" variant="quiet" onClick={() => setWriting(false)}>
              Cancel
            </Button>
            <Button size="small" onClick={() => pick({ write: text })}>
              Use these lines
            </Button>
          </div>
        </div>
      )}
      {written && !isWriting && (
        <div className="mt-3 rounded-tag bg-surface-sunken px-2.5 py-1.5">
          <p className="text-muted text-secondary">Rewritten</p>
          <p className="whitespace-pre-wrap break-words">{text === "" ? <Blank /> : text}</p>
        </div>
      )}
    </section>
  );
}

const sides = ["mine", "theirs"] as const;
const titles = { mine: "Yours", theirs: "Theirs" };

type SideProps = {
  side: (typeof sides)[number];
  about: ReactNode;
  chunk: TextConflict;
  isChosen: boolean;
  onPick: () => void;
};

function Side({ side, about, chunk, isChosen, onPick }: SideProps) {
  const title = titles[side];
  const lines = chunk[side];
  const isPaired = lines.length === chunk.base.length;
  return (
    <section aria-label={title} className="min-w-0 sm:[&:last-child]:border-l sm:[&:last-child]:pl-5">
      <header className="mb-1 flex items-center gap-2">
        <h4 className="font-semibold">{title}</h4>
        <span className="min-w-0 flex-1 break-words text-muted text-secondary">{about}</span>
        <Button size="small" aria-pressed={isChosen} onClick={onPick} icon={isChosen ? <Check /> : undefined}>
          {isChosen ? `Using ${title.toLowerCase()}` : `Use ${title.toLowerCase()}`}
        </Button>
      </header>
      {lines.length === 0 ? (
        <p className="text-muted">removed</p>
      ) : (
        lines.map((text, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines of one side never move
          <p key={at} className="whitespace-pre-wrap break-words [overflow-wrap:anywhere]">
            <Words parts={isPaired ? wordDiff(chunk.base[at] ?? "", text) : null} after={text} hidesRemoved />
          </p>
        ))
      )}
    </section>
  );
}
