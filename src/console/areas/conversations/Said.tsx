import { type Command, readCommands, toolWords, writeCommand } from "../../../contract/command.ts";
import { JsonView } from "../../lib/json/JsonView.tsx";
import { PlainText } from "../../lib/markdown/MarkdownText.tsx";
import { type Find, noFind } from "../../lib/markdown/Marked.tsx";
import { fieldsOf, shownIn } from "./command-fields.ts";

/**
 * What a person said. A message of commands for the built-in model is laid out in words; while something is searched for it
 * stands as it was sent, so that each hit is where it was found.
 */
export function Said({ text, find = noFind }: { text: string; find?: Find }) {
  const commands = find.text === "" && text.length < longest ? readCommands(text) : null;
  if (commands === null) return <PlainText text={text} find={find} />;
  // Of the same line twice one is enough to read.
  const each = new Map(commands.map((command) => [writeCommand(command), command]));
  return (
    <div className="flex flex-col gap-2" title={text.slice(0, 1_000)}>
      {[...each].map(([line, command]) => (
        <CommandWords key={line} command={command} />
      ))}
    </div>
  );
}

const longest = 100_000;

function CommandWords({ command }: { command: Command }) {
  const fields = fieldsOf(command);
  const isWhole =
    fields.length === Object.keys(command.args).length || fields.some(({ path }) => path.length > 1);
  return (
    <div>
      <p className="font-medium">{toolWords(command.tool)}</p>
      {fields.length > 0 && (
        <dl className="grid grid-cols-[minmax(64px,auto)_minmax(0,1fr)] gap-x-3 gap-y-0.5">
          {fields.map((field) => (
            <div key={field.path.join("\n")} className="col-span-2 grid grid-cols-subgrid items-baseline">
              <dt className="text-muted text-secondary">{field.label}</dt>
              <dd className="max-h-[200px] min-w-0 overflow-y-auto whitespace-pre-wrap break-words">
                {valueWords(shownIn(command, field))}
              </dd>
            </div>
          ))}
        </dl>
      )}
      {!isWhole && <JsonView value={command.args} label="Values" find={noFind} />}
    </div>
  );
}

function valueWords(value: string | boolean): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  return value === "" ? "(empty)" : value;
}
