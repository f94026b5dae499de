import { type FormEvent, useState } from "react";
import { type Command, toolWords, writeCommand } from "../../../contract/command.ts";
import { SecretWarning } from "../../lib/secret-warning/SecretWarning.tsx";
import { useSecretCheck } from "../../lib/secret-warning/useSecretCheck.ts";
import { Button } from "../../ui/Button.tsx";
import { Checkbox } from "../../ui/Checkbox.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { Field } from "../../ui/Field.tsx";
import { Input } from "../../ui/Input.tsx";
import { Textarea } from "../../ui/Textarea.tsx";
import { type CommandField, type FieldValue, faultOf, fieldsOf, filled, shownIn } from "./command-fields.ts";

type Props = {
  /** The tool, with the values to begin with. */
  command: Command;
  agent: string;
  /** What the button does: "Send", "Queue message". */
  action: string;
  onSend: (text: string) => void;
  onClose: () => void;
};

/** A form behind words: what it sends is what the built-in model understands, and nobody has to write that. */
export default function CommandForm({ command, agent, action, onSend, onClose }: Props) {
  const fields = fieldsOf(command);
  const [typed, setTyped] = useState<ReadonlyMap<string, FieldValue>>(new Map());
  const shownOf = (field: CommandField) => typed.get(keyOf(field)) ?? shownIn(command, field);
  const text = writeCommand(
    filled(
      command,
      fields.map((field) => [field, shownOf(field)] as const),
    ),
  );
  const fault = fields.map((field) => faultOf(field, shownOf(field))).find((one) => one !== null);
  const { secret, allow } = useSecretCheck(text);
  const [isWarned, setWarned] = useState(false);
  const done = () => {
    onSend(text);
    onClose();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (fault !== undefined) return;
    if (secret !== null) setWarned(true);
    else done();
  };
  return (
    <Dialog
      isOpen
      isNarrow
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={toolWords(command.tool)}
      description={`${agent} does it when you send this.`}
    >
      <form onSubmit={submit} className="flex flex-col gap-3">
        {fields.map((field) => (
          <OneField
            key={keyOf(field)}
            field={field}
            value={shownOf(field)}
            onChange={(value) => setTyped((old) => new Map(old).set(keyOf(field), value))}
          />
        ))}
        {secret && isWarned && (
          <SecretWarning
            secret={secret}
            action="Send anyway"
            onAllow={() => {
              if (allow() === null) done();
            }}
          >
            Whoever may read this conversation would see it, and so would the agent’s model.
          </SecretWarning>
        )}
        <div className="flex justify-end gap-2">
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button variant="primary" type="submit" disabledReason={fault} reasonAs="title">
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

const keyOf = ({ path }: CommandField) => path.join("\n");

type FieldProps = { field: CommandField; value: FieldValue; onChange: (value: FieldValue) => void };

function OneField({ field, value, onChange }: FieldProps) {
  const { label, kind } = field;
  if (kind === "boolean") {
    return (
      <Checkbox label={label} checked={value === true} onChange={(event) => onChange(event.target.checked)} />
    );
  }
  const own = {
    value: String(value),
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  };
  return (
    <Field label={label} {...(kind === "lines" && { hint: "One a line" })}>
      {kind === "line" || kind === "number" ? (
        <Input {...own} {...(kind === "number" && { inputMode: "decimal" as const })} />
      ) : (
        <Textarea {...own} />
      )}
    </Field>
  );
}
