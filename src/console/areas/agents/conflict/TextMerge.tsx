import { useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { TextChunk } from "../../../lib/merge/merge-text.ts";
import { Segmented } from "../../../ui/Segmented.tsx";
import type { Choice, Leaf } from "../agent/merge.ts";
import { ChunkLines } from "./ChunkLines.tsx";
import { ConflictBox } from "./ConflictBox.tsx";
import type { MergeView } from "./ConflictView.tsx";

/** A merged text: its lines with whose they are, both sides beside each other, or only what comes of it. */
export function TextMerge({
  view,
  leaf,
  label,
  show,
}: {
  view: MergeView;
  leaf: Leaf;
  label: string;
  show: "merged" | "sides" | "result";
}) {
  const { merge } = view;
  const chunks = leaf.chunks ?? oneChunk(leaf);
  if (show === "result")
    return (
      <section aria-label={`Result of ${label}`}>
        <Plain text={resultOf(chunks, merge.choices)} />
      </section>
    );
  if (show === "sides")
    return (
      <div className="grid gap-4 p-4 sm:grid-cols-2">
        <SideText title="Yours" about={view.mineAbout} text={leaf.mine} />
        <SideText title="Theirs" about={view.theirsAbout} text={leaf.theirs} />
      </div>
    );
  return (
    <ChunkLines
      chunks={chunks}
      label={label}
      names={{ mine: "yours", theirs: "theirs", both: "both" }}
      lengthOf={(chunk) => linesOf(chunk, merge.choices[chunk.id]).length}
      conflict={(chunk, line) => (
        <ConflictBox
          chunk={chunk}
          line={line}
          choice={merge.choices[chunk.id]}
          onChoose={(choice) => merge.choose([chunk.id], choice)}
          mineAbout={view.mineAbout}
          theirsAbout={view.theirsAbout}
          baseName={view.baseName}
        />
      )}
    />
  );
}

/** The three ways to look at a merged text; which one stands in the address. */
export function TextViews({ show }: { show: "merged" | "sides" | "result" }) {
  const navigate = useNavigate({ from: "/agents/$agentId/settings" });
  return (
    <Segmented
      label="How the texts are shown"
      className="max-sm:w-full"
      options={[
        { value: "merged", label: "Merged" },
        { value: "sides", label: "Side by side" },
        { value: "result", label: "Only the result" },
      ]}
      value={show}
      onChange={(next) =>
        void navigate({
          search: ({ show: _, ...old }) => (next === "merged" ? old : { ...old, show: next }),
          replace: true,
        })
      }
    />
  );
}

function SideText({ title, about, text }: { title: string; about: ReactNode; text: unknown }) {
  return (
    <section aria-label={title} className="min-w-0">
      <h4 className="mb-1 font-semibold">
        {title} <span className="font-normal text-muted text-secondary">{about}</span>
      </h4>
      <Plain text={typeof text === "string" ? text : ""} />
    </section>
  );
}

function Plain({ text }: { text: string }) {
  return (
    <div className="whitespace-pre-wrap break-words px-4 py-2 [overflow-wrap:anywhere]">
      {text === "" ? <span className="text-faint">empty</span> : text}
    </div>
  );
}

/** A text that only one side changed, as the lines of a merge. */
function oneChunk({ kind, base, merged }: Leaf): readonly TextChunk[] {
  const split = (value: unknown) => (typeof value === "string" ? value.split("\n") : []);
  return [{ kind: kind === "conflict" ? "mine" : kind, base: split(base), lines: split(merged) }];
}

function linesOf(chunk: TextChunk, choice: Choice | undefined): readonly string[] {
  if (chunk.kind !== "conflict") return chunk.lines;
  if (typeof choice === "object") return typeof choice.write === "string" ? choice.write.split("\n") : [];
  if (choice === "both") return [...chunk.mine, ...chunk.theirs];
  return chunk[choice ?? "mine"];
}

function resultOf(chunks: readonly TextChunk[], choices: Readonly<Record<string, Choice>>): string {
  return chunks
    .flatMap((chunk) => linesOf(chunk, chunk.kind === "conflict" ? choices[chunk.id] : undefined))
    .join("\n");
}
