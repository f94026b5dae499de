import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { describeError } from "../../api/describe-error.ts";
import { ConsoleError } from "../../api/errors.ts";
import { useApi } from "../../lib/api.tsx";
import { FormDialog } from "../../lib/FormDialog.tsx";
import { useTeamsWith } from "../../lib/rights/rights.ts";
import { Checkbox } from "../../ui/Checkbox.tsx";
import { Field, NativeSelect } from "../../ui/Field.tsx";
import { Input } from "../../ui/Input.tsx";
import { useSignedIn } from "../session/index.ts";

import { knowledgeMutations, type SourceToMake } from "./queries.ts";

type Props = { onClose: () => void; onMade: (id: string) => void };

/** Makes a source for uploaded files: its name, who may find what is in it, and whether somebody has to approve it first. */
export function NewSource({ onClose, onMade }: Props) {
  const api = useApi();
  const { teams, leftOut } = useTeamsWith(useSignedIn().teams, "edit");
  const [name, setName] = useState("");
  const [whose, setWhose] = useState("personal");
  const [requireApproval, setRequireApproval] = useState(true);
  const made = useRef<string>(undefined);
  const make = useMutation(knowledgeMutations.create(api));
  const options = [
    { value: "personal", words: "Only me" },
    ...teams.map((team) => ({ value: `team ${team.id}`, words: `Team ${team.name}` })),
    { value: "organization", words: "The whole organisation" },
  ];
  const submit = () => {
    const teamId = whose.startsWith("team ") ? whose.slice(5) : null;
    const scope = (teamId === null ? whose : "team") as SourceToMake["scope"];
    make.mutate(
      { name: name.trim(), scope, teamId, requireApproval },
      {
        onSuccess: (id) => {
          made.current = id;
          onMade(id);
        },
      },
    );
  };
  const isFull = make.error instanceof ConsoleError && make.error.code === "too_many_drafts";
  return (
    <FormDialog
      title="New knowledge source"
      description="You can add files next. Agents search them with the search_knowledge tool."
      action="Create source"
      failedTitle={isFull ? "Too many pending sources" : "The source was not created"}
      failure={isFull ? describeError(make.error).what : undefined}
      mutation={make}
      disabledReason={name.trim() === "" ? "Enter a name first" : undefined}
      isDirty={name !== ""}
      made={made}
      onClose={onClose}
      onSubmit={submit}
    >
      <Field label="Name">
        <Input value={name} onChange={(event) => setName(event.target.value)} />
      </Field>
      <Field label="Who can search it" hint={leftOut}>
        <NativeSelect value={whose} onChange={(event) => setWhose(event.target.value)}>
          {options.map(({ value, words }) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </NativeSelect>
      </Field>
      <Checkbox
        label="Estimate the cost first and wait for approval"
        checked={requireApproval}
        onChange={(event) => setRequireApproval(event.target.checked)}
      />
    </FormDialog>
  );
}
