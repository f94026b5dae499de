import { type FormEvent, useState } from "react";
import { Button } from "../../../ui/Button.tsx";
import { Field } from "../../../ui/Field.tsx";
import { Textarea } from "../../../ui/Textarea.tsx";

type Props = {
  outputs: Readonly<Record<string, unknown>> | null | undefined;
  isLoading: boolean;
  onDownload: (names: readonly string[]) => void;
};

/** The interface takes so many names in one call. */
const most = 1_000;

/**
 * Downloads files of a run by names that are typed, for a service that does not list them (§4.6). Outputs that read like
 * the name of a file are filled in.
 */
export default function FilesByName({ outputs, isLoading, onDownload }: Props) {
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed ?? namesIn(outputs).join("\n");
  const names = [...new Set(text.split("\n").map((line) => line.trim()))].filter((line) => line !== "");
  const why =
    names.length === 0
      ? "it needs a name"
      : names.length > most
        ? `${most.toLocaleString("en-GB")} names at most`
        : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (why === undefined) onDownload(names);
  };
  return (
    <form onSubmit={submit} className="flex flex-col items-start gap-2.5">
      <Field
        label="Names of files"
        hint="One on each line. This service does not list the files of a run."
        className="w-full"
      >
        <Textarea
          rows={Math.min(8, Math.max(2, names.length))}
          className="font-mono"
          spellCheck={false}
          placeholder="report.md"
          value={text}
          onChange={(event) => setTyped(event.target.value)}
        />
      </Field>
      <Button type="submit" size="small" loading={isLoading} disabledReason={why}>
        {names.length > 1 ? `Download ${names.length} as a zip` : "Download as a zip"}
      </Button>
    </form>
  );
}

/** Outputs that are the plain name of a file: "report.md". */
function namesIn(outputs: Props["outputs"]): readonly string[] {
  return Object.values(outputs ?? {}).flatMap((value) =>
    typeof value === "string" && /^[^\s/\\:*?"<>|][^/\\:*?"<>|\n\r\t]{0,120}\.[A-Za-z0-9]{1,8}$/.test(value)
      ? [value]
      : [],
  );
}
