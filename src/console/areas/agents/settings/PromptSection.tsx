import { useNavigate } from "@tanstack/react-router";
import { useDeferredValue, useId, useMemo } from "react";
import { CodeEditor } from "../../../lib/code-editor/CodeEditor.tsx";
import type { LineMarks } from "../../../lib/code-editor/editor-types.ts";
import { TextDiff } from "../../../lib/diff/TextDiff.tsx";
import { mergeText, type TextChunk } from "../../../lib/merge/merge-text.ts";
import { counted } from "../../../lib/words.ts";
import { Segmented } from "../../../ui/Segmented.tsx";
import { versionLabel } from "../labels.ts";
import { type AgentForm, offReasonOf } from "./form.ts";
import { AlsoMark, EditedMark, Section } from "./Section.tsx";

const views = [
  { value: "write", label: "Write" },
  { value: "changes", label: "Changes" },
] as const;

/** The system prompt: an editor with the edited lines marked, or only what differs from before. */
export function PromptSection({ form, view }: { form: AgentForm; view: "write" | "changes" }) {
  const navigate = useNavigate({ from: "/agents/$agentId/settings" });
  const helpId = useId();
  const text = form.mine.system_prompt ?? "";
  // Marks may come a moment after the letters.
  const settled = useDeferredValue(form.mine.system_prompt);
  const chunks = useMemo(
    () => chunksOfMine(form.base.system_prompt, settled, form.newer?.draft.system_prompt),
    [form.base.system_prompt, settled, form.newer],
  );
  const marks = useMemo(() => marksOf(chunks), [chunks]);
  const edited = marks.edited.length + marks.also.length;
  const lines = text === "" ? 0 : text.split("\n").length;
  return (
    <Section
      id="prompt"
      title="System prompt"
      mark={
        edited > 0 &&
        form.changed.has("system_prompt") && <EditedMark>{counted(edited, "line")} edited</EditedMark>
      }
      aside={
        <Segmented
          label="Prompt view"
          options={views}
          value={view}
          onChange={(next) =>
            void navigate({
              search: ({ prompt: _, ...old }) => (next === "changes" ? { ...old, prompt: "changes" } : old),
              replace: true,
            })
          }
        />
      }
    >
      {view === "changes" ? (
        edited === 0 ? (
          <p className="text-muted">No changes</p>
        ) : (
          <TextDiff
            before={form.base.system_prompt ?? ""}
            after={settled ?? ""}
            label="Changes to the system prompt"
          />
        )
      ) : (
        <CodeEditor
          label="System prompt"
          value={text}
          onChange={(next) => form.write({ system_prompt: next === "" ? null : next })}
          isReadOnly={offReasonOf(form, "system_prompt") !== undefined}
          marks={marks}
          describedBy={helpId}
          isTall
          note={
            <span id={helpId} className="flex flex-wrap items-baseline gap-x-4 gap-y-0.5">
              <span>
                {counted(lines, "line")}, {counted(text.length, "character", "characters")}
              </span>
              {marks.also.length > 0 && form.newer && (
                <AlsoMark>
                  {marks.also.length === 1 ? "line" : "lines"} {rangesOf(marks.also)} also{" "}
                  {marks.also.length === 1 ? "differs" : "differ"} in {versionLabel(form.newer.version)}
                </AlsoMark>
              )}
            </span>
          }
        />
      )}
    </Section>
  );
}

/** `3, 7 to 9` */
function rangesOf(lines: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const line of lines) {
    const last = ranges.at(-1);
    if (last && last[1] === line - 1) last[1] = line;
    else ranges.push([line, line]);
  }
  const words = ranges.map(([from, to]) => (from === to ? `${from}` : `${from} to ${to}`));
  return words.length > 4 ? `${words.slice(0, 4).join(", ")} and more` : words.join(", ");
}

type Text = string | null;

/** How the lines of a draft's text came about. `theirs`: what another person saved since; null: nobody did. */
export function chunksOfMine(base: Text, mine: Text, theirs: Text | undefined): readonly TextChunk[] {
  return mergeText(base, theirs === undefined ? base : theirs, mine, String).chunks;
}

/** The lines of a draft's text to mark; of lines that were only taken out, the one after the gap. */
export function marksOf(chunks: readonly TextChunk[]): LineMarks {
  const edited: number[] = [];
  const also: number[] = [];
  let line = 1;
  for (const chunk of chunks) {
    const lines = chunk.kind === "conflict" ? chunk.mine : chunk.kind === "theirs" ? chunk.base : chunk.lines;
    const marks = chunk.kind === "conflict" ? also : edited;
    if (chunk.kind === "conflict" || chunk.kind === "mine" || chunk.kind === "both") {
      for (let at = 0; at < Math.max(1, lines.length); at += 1) marks.push(line + at);
    }
    line += lines.length;
  }
  const last = Math.max(1, line - 1);
  const inside = (lines: readonly number[]) => [...new Set(lines.map((one) => Math.min(one, last)))];
  return { edited: inside(edited), also: inside(also) };
}
