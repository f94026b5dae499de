import Copy from "lucide-react/icons/copy";
import Ellipsis from "lucide-react/icons/ellipsis";
import { useState } from "react";
import { AddChip } from "../../console/ui/AddChip.tsx";
import { Button, IconButton } from "../../console/ui/Button.tsx";
import { Checkbox } from "../../console/ui/Checkbox.tsx";
import { Chip } from "../../console/ui/Chip.tsx";
import { RadioRows, Switch } from "../../console/ui/Choices.tsx";
import { Field, NativeSelect } from "../../console/ui/Field.tsx";
import { Input } from "../../console/ui/Input.tsx";
import { Segmented } from "../../console/ui/Segmented.tsx";
import { State } from "../../console/ui/State.tsx";
import { Part } from "./Part.tsx";

export function ButtonParts() {
  const [level, setLevel] = useState("all");
  const [isWrapped, setWrapped] = useState(true);
  return (
    <Part name="Buttons" remark="32 px, small 26 px; one primary per view">
      <div className="flex flex-col gap-3 pt-0.5">
        <div className="flex flex-wrap items-center gap-2">
          <Button variant="primary">Start a run</Button>
          <Button>Compare</Button>
          <Button variant="quiet">Cancel</Button>
          <Button variant="danger">Kill run</Button>
          <Button disabledReason="Nothing was changed" reasonAs="title">
            Save
          </Button>
        </div>
        <div className="flex flex-wrap items-center gap-2">
          <Button className="bg-surface-raised-hover!">Hover</Button>
          <Button className="outline-2 outline-focus outline-offset-1">Focus</Button>
          <Button loading>Saving</Button>
          <IconButton variant="plain" label="More">
            <Ellipsis />
          </IconButton>
          <Button size="small">Small</Button>
          <Button size="small" variant="primary">
            Small
          </Button>
          <IconButton size="small" variant="plain" label="Copy">
            <Copy />
          </IconButton>
        </div>
        <div className="flex flex-wrap items-center gap-2 pt-1">
          <Chip name="State" />
          <Chip name="State" value="failed" onClear={() => {}} />
          <AddChip>Add</AddChip>
          <Segmented
            label="Level"
            value={level}
            onChange={setLevel}
            options={[
              { value: "all", label: "All" },
              { value: "warnings", label: "Warnings 63" },
              { value: "errors", label: "Errors 3" },
            ]}
          />
        </div>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 pt-0.5">
          <Checkbox label="Off" />
          <Checkbox label="On" defaultChecked />
          <Checkbox label="Some" isPartial />
          <Switch label="Wrap" checked={isWrapped} onChange={(event) => setWrapped(event.target.checked)} />
        </div>
      </div>
    </Part>
  );
}

export function FieldParts() {
  const [connection, setConnection] = useState("halden");
  return (
    <Part name="Fields">
      <div className="flex flex-col gap-3 pt-1">
        <Field label="Flow">
          <NativeSelect defaultValue="a">
            <option value="a">Carrier rate refresh, EU lanes</option>
            <option value="b">Inbound claim triage</option>
          </NativeSelect>
        </Field>
        <Field label="valid_from" error="There is no month 13. Write it as 2026-12-01.">
          <Input defaultValue="2026-13-01" />
        </Field>
        <RadioRows
          legend="Connection"
          value={connection}
          onChange={setConnection}
          rows={[
            { value: "here", name: "Wheelhouse", about: "this process", state: "4 ms" },
            { value: "halden", name: "Halden Freight", about: "upstream", state: "38 ms" },
            {
              value: "test",
              name: "Halden test",
              about: "upstream",
              state: <State isPlain tone="failed" word="no answer" />,
            },
          ]}
          hint="Named by whoever started the process"
        />
      </div>
    </Part>
  );
}
