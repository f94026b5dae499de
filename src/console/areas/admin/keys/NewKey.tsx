import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { listAgents } from "../../../../contract/agents.ts";
import { useApi } from "../../../lib/api.tsx";
import { curlOfCall } from "../../../lib/curl.ts";
import { FormDialog } from "../../../lib/FormDialog.tsx";
import { Options } from "../../../lib/form/FormField.tsx";
import { CodeLine } from "../../../ui/CopyButton.tsx";
import { Field, NativeSelect } from "../../../ui/Field.tsx";
import { Input } from "../../../ui/Input.tsx";
import { adminMutations } from "../mutations.ts";
import { OnceShown } from "../OnceShown.tsx";
import type { OwnRoles } from "../roles.ts";

type Team = { readonly id: string; readonly name: string };
type Props = {
  roles: OwnRoles;
  /** Whose keys are listed, where they are a team's. */
  team: Team | null;
  onClose: () => void;
};

const spans = { "30": "30 days", "90": "90 days", "365": "1 year", "": "Never" };

/** Makes a key: its name, for whom it acts, and when it ends. The secret is shown once. */
export function NewKey({ roles, team, onClose }: Props) {
  const api = useApi();
  const [name, setName] = useState("");
  const [owner, setOwner] = useState(team?.id ?? "");
  const [days, setDays] = useState("90");
  const [made, setMade] = useState<{ secret: string; id: string | undefined } | null>(null);
  const make = useMutation(adminMutations.createKey(api));
  const isOther = team !== null && !roles.managed.some(({ id }) => id === team.id);
  const teams = isOther ? [team, ...roles.managed] : roles.managed;
  const submit = () =>
    make.mutate(
      {
        body: {
          name: name.trim(),
          ...(owner !== "" && { team_id: owner }),
          expires_in_days: days === "" ? null : Number(days),
        },
      },
      { onSuccess: ({ data }) => setMade({ secret: data.secret ?? "", id: data.key?.id ?? undefined }) },
    );
  if (made !== null)
    return (
      <OnceShown
        title={
          <>
            API key <bdi>{name.trim()}</bdi>
          </>
        }
        description="Copy it now and keep it where your program finds it. The service stores no copy."
        secret={made.secret}
        what="API key"
        rowId={made.id}
        onClose={onClose}
      >
        <p className="mt-4 mb-1.5 text-muted text-secondary">To try it, with the key in $WHEELHOUSE_KEY:</p>
        <CodeLine code={curlOfCall(api, listAgents, {})} what="the command" />
      </OnceShown>
    );
  return (
    <FormDialog
      title="New API key"
      description="Programs call the service with it, as its owner."
      action="Create key"
      failedTitle="The key was not created"
      mutation={make}
      disabledReason={name.trim() === "" ? "Enter a name first" : undefined}
      isDirty={name !== ""}
      onClose={onClose}
      onSubmit={submit}
    >
      <Field label="Name" hint="What uses it, so that you know later what stops when you revoke it.">
        <Input value={name} onChange={(event) => setName(event.target.value)} autoComplete="off" />
      </Field>
      {teams.length > 0 && (
        <Field
          label="Acts as"
          hint={owner === "" ? "It may do what you may." : "It may do what an editor of the team may."}
        >
          <NativeSelect value={owner} onChange={(event) => setOwner(event.target.value)}>
            <option value="">You</option>
            {teams.map((one) => (
              <option key={one.id} value={one.id}>
                Team {one.name}
              </option>
            ))}
          </NativeSelect>
        </Field>
      )}
      <Field label="Expires">
        <NativeSelect value={days} onChange={(event) => setDays(event.target.value)}>
          <Options of={spans} value={days} />
        </NativeSelect>
      </Field>
    </FormDialog>
  );
}
