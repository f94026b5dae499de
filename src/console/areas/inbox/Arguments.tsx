import { useMemo } from "react";
import { CodeEditor } from "../../lib/code-editor/CodeEditor.tsx";
import { problemWords, readJsonObject } from "../../lib/code-editor/read-json.ts";
import { TextDiff } from "../../lib/diff/TextDiff.tsx";
import { formatJson } from "../../lib/json/format-json.ts";
import { JsonText } from "../../lib/json/JsonTree.tsx";
import { JsonActions, JsonView } from "../../lib/json/JsonView.tsx";
import { Ago } from "../../lib/time/Time.tsx";
import { Person } from "../directory/index.ts";
import { Part } from "./QuestionFacts.tsx";
import type { QuestionDetailsIn } from "./queries.ts";
import { type Answer, argumentsProblem } from "./useAnswer.ts";

type Props = { question: QuestionDetailsIn; answer: Answer };

/** What runs, to the byte, or the field in which it is edited; and how it differs from what was approved last. */
export function Arguments({ question, answer }: Props) {
  const asked = question.arguments_text ?? "";
  const ran = question.answer?.arguments_text ?? null;
  const isEditing = question.state === "waiting" && answer.draft.mode === "edit";
  return (
    <>
      {isEditing ? (
        <Editing asked={asked} answer={answer} />
      ) : (
        <Part
          title={ran === null ? "Arguments" : "Arguments that ran"}
          aside={
            <JsonActions
              value={ran ?? asked}
              what="arguments"
              fileName={`${question.tool?.name || "call"}-arguments.json`}
            />
          }
        >
          <JsonSource text={ran ?? asked} label="Arguments" />
        </Part>
      )}
      {ran !== null && (
        <Part title="What was edited">
          <Difference before={asked} after={ran} label="Edits to what the agent asked for" />
        </Part>
      )}
      <LastApproved question={question} after={ran ?? asked} />
    </>
  );
}

/** Up to so many characters it is drawn in colour; a longer one is read in pieces. */
const inColour = 20_000;
/** A longer text is shown as it came. */
const formatted = 1_000_000;

/** JSON as it was written, on lines of its own: nothing is left out, rounded or folded. */
function JsonSource({ text, label }: { text: string; label: string }) {
  const shown = useMemo(() => (text.length <= formatted ? formatJson(text) : text), [text]);
  if (shown.length > inColour) return <JsonView value={shown} label={label} />;
  return (
    <pre className="whitespace-pre-wrap break-words text-mono-json">
      <JsonText text={shown} />
    </pre>
  );
}

/** The arguments as JSON that is typed; what is wrong with it, here or by the service, stands under it. */
function Editing({ asked, answer }: { asked: string; answer: Answer }) {
  const text = answer.draft.argumentsText ?? formatJson(asked);
  const reading = readJsonObject(text);
  const problem = reading.ok ? argumentsProblem(answer.error) : `${problemWords(reading.problem)}.`;
  return (
    <Part title="Edited arguments">
      <CodeEditor
        label="Arguments as JSON"
        language="json"
        value={text}
        onChange={(typed) => answer.write({ argumentsText: typed })}
        problem={problem}
        note={answer.isKept ? "Draft kept in this browser" : ""}
        takesFocus
      />
      {answer.draft.argumentsText !== null && reading.ok && (
        <div className="mt-3">
          <p className="mb-1.5 text-muted text-secondary">Your edits</p>
          <Difference before={asked} after={text} label="Your edits" />
        </div>
      )}
    </Part>
  );
}

/** What was approved last for the same agent and tool, beside what is asked now. */
function LastApproved({ question, after }: { question: QuestionDetailsIn; after: string }) {
  const last = question.last_approved;
  if (!last) {
    return (
      <Part title="Difference from last approved">
        <p className="text-muted">Nothing was approved for this agent and tool before.</p>
      </Part>
    );
  }
  return (
    <Part
      title="Difference from last approved"
      aside={
        <span className="text-muted text-secondary">
          <Ago at={last.at} />
          {last.by && (
            <>
              {" "}
              by <Person of={last.by} />
            </>
          )}
        </span>
      }
    >
      <Difference
        before={last.arguments_text ?? ""}
        after={after}
        label="Difference from the arguments approved last"
      />
    </Part>
  );
}

/** Two JSON texts compared as they are shown: what only sets them on other lines is no difference. */
function Difference({ before, after, label }: { before: string; after: string; label: string }) {
  const [was, is] = [formatJson(before), formatJson(after)];
  if (was === is) return <p className="text-muted">No difference.</p>;
  return <TextDiff before={was} after={is} label={label} isMono />;
}
