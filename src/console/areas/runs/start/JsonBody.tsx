import { Field } from "../../../ui/Field.tsx";
import { Textarea } from "../../../ui/Textarea.tsx";
import type { ReadBody } from "./body.ts";
import type { Routing } from "./routing.ts";

type Props = { text: string; onChange: (text: string) => void; read: ReadBody; routing: Routing };

/** The body as it is sent, written by hand. */
export function JsonBody({ text, onChange, read, routing }: Props) {
  const misspelt = routing.strays.filter((stray) => stray.meant !== null);
  return (
    <Field
      label="Body"
      aside="sent as it is"
      hint={misspelt.map((stray) => `No input is called ${stray.name}. Is ${stray.meant} meant?`).join(" ")}
      error={
        read.ok
          ? undefined
          : read.line === null
            ? `${read.problem}.`
            : `${read.problem}: look at line ${read.line}.`
      }
    >
      <Textarea
        isMono
        rows={8}
        spellCheck={false}
        autoCapitalize="none"
        className="min-h-40 text-mono-json"
        value={text}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  );
}
