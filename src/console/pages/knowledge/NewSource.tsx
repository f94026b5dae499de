import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { knowledgeMutations, type SourceToMake } from "../../api/queries/knowledge.ts";
import { useApi } from "../../components/api-context.tsx";
import { Failure } from "../../components/failure/Failure.tsx";
import { useSignedIn } from "../../components/wheelhouse-context.tsx";
import { Button } from "../../ui/Button.tsx";
import { Checkbox } from "../../ui/Checkbox.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { Field } from "../../ui/Field.tsx";
import { Input } from "../../ui/Input.tsx";
import { NativeSelect } from "../../ui/NativeSelect.tsx";

type Props = { onClose: () => void; onMade: (id: string) => void };

/** Makes a source for uploaded files: its name, who may find what is in it, and whether somebody has to approve it first. */
export default function NewSource({ onClose, onMade }: Props) {
  const api = useApi();
  const { teams } = useSignedIn();
  const isTeamKey = api.who.kind === "team";
  const [name, setName] = useState("");
  const [whose, setWhose] = useState(isTeamKey ? `team ${api.who.teamId}` : "personal");
  const [requireApproval, setRequireApproval] = useState(true);
  const make = useMutation(knowledgeMutations.create(api));
  const options = [
    ...(isTeamKey ? [] : [{ value: "personal", words: "Only me" }]),
    ...(teams ?? []).map((team) => ({ value: `team ${team.id}`, words: `Team ${team.name}` })),
    ...(isTeamKey ? [] : [{ value: "organization", words: "The whole organisation" }]),
  ];
  const submit = () => {
    if (make.isPending || name.trim() === "") return;
    const teamId = whose.startsWith("team ") ? whose.slice(5) : null;
    const scope = (teamId === null ? whose : "team") as SourceToMake["scope"];
    make.mutate({ name: name.trim(), scope, teamId, requireApproval }, { onSuccess: onMade });
  };
  return (
    <Dialog
      isNarrow
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="New knowledge source"
      description="Files come next. Agents with the tool search_knowledge find what is in them, with file and page."
      footer={
        <Button
          variant="primary"
          loading={make.isPending}
          disabledReason={name.trim() === "" ? "it needs a name" : undefined}
          onClick={submit}
        >
          Make source
        </Button>
      }
    >
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Field label="Name">
          <Input value={name} onChange={(event) => setName(event.target.value)} />
        </Field>
        <Field label="Who finds what is in it">
          <NativeSelect value={whose} onChange={(event) => setWhose(event.target.value)}>
            {options.map(({ value, words }) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </NativeSelect>
        </Field>
        <Checkbox
          label="Say what it costs first, and wait for an approval"
          checked={requireApproval}
          onChange={(event) => setRequireApproval(event.target.checked)}
        />
        {make.error !== null && <Failure error={make.error} what="The new source" />}
      </form>
    </Dialog>
  );
}
