import { useNavigate } from "@tanstack/react-router";
import { useDeferredValue, useId, useMemo } from "react";
import { CodeEditor } from "../../../lib/code-editor/CodeEditor.tsx";
import { Segmented } from "../../../ui/Segmented.tsx";
import { ChunkLines } from "../conflict/ChunkLines.tsx";
import { type AgentForm, offReasonOf } from "./form.ts";
import { chunksOfMine, marksOf } from "./prompt-marks.ts";
import { AlsoMark, EditedMark, Section, versionWords } from "./Section.tsx";

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
        form.changed.has("system_prompt") && <EditedMark>{linesWords(edited)} edited</EditedMark>
      }
      aside={
        <Segmented
          label="What of the prompt is shown"
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
          <p className="text-muted">Nothing is changed.</p>
        ) : (
          <div className="rounded-control border border-line-strong py-1">
            <ChunkLines
              chunks={chunksOfMine(form.base.system_prompt, settled, undefined)}
              label="Changes of the system prompt"
            />
          </div>
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
                {linesWords(lines)}, {text.length.toLocaleString("en-GB")} characters
              </span>
              {marks.also.length > 0 && form.newer && (
                <AlsoMark>
                  {marks.also.length === 1 ? "line" : "lines"} {rangesOf(marks.also)} also{" "}
                  {marks.also.length === 1 ? "differs" : "differ"} in {versionWords(form.newer.version)}
                </AlsoMark>
              )}
            </span>
          }
        />
      )}
    </Section>
  );
}

const linesWords = (count: number): string => `${count} ${count === 1 ? "line" : "lines"}`;

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
