import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { updateTeam } from "../../../../contract/admin-teams.ts";
import type { Call } from "../../../../contract/define.ts";
import { useApi } from "../../../lib/api.tsx";
import { FormDialog } from "../../../lib/FormDialog.tsx";
import { Options } from "../../../lib/form/FormField.tsx";
import { Field, NativeSelect } from "../../../ui/Field.tsx";
import { Input } from "../../../ui/Input.tsx";
import { useToast } from "../../../ui/Toast.tsx";
import { ConfirmAction } from "../ConfirmAction.tsx";
import { planNames, setInFile, teamTitle } from "../labels.ts";
import { adminMutations } from "../mutations.ts";
import type { TeamRow } from "../queries.ts";
import { isOutdated, useBegun } from "../useBegun.ts";

type Plan = NonNullable<NonNullable<Call<typeof updateTeam>["body"]>["plan"]>;

const asPlan = (value: string | null | undefined): Plan | null =>
  value === "free" || value === "pro" || value === "enterprise" ? value : null;

/** Makes a team, whose first admin is the person. @param onClose gets its id */
export function NewTeam({ onClose }: { onClose: (id?: string) => void }) {
  const [name, setName] = useState("");
  const [plan, setPlan] = useState<Plan>("pro");
  const made = useRef<string>(undefined);
  const make = useMutation(adminMutations.createTeam(useApi()));
  return (
    <FormDialog
      title="New team"
      description="You are its first admin. Add members next."
      action="Create team"
      failedTitle="The team was not created"
      mutation={make}
      disabledReason={name.trim() === "" ? "Enter a name first" : undefined}
      isDirty={name !== ""}
      made={made}
      onClose={() => onClose()}
      onSubmit={() =>
        make.mutate(
          { body: { name: name.trim(), plan } },
          {
            onSuccess: ({ data }) => {
              made.current = data.team?.id ?? undefined;
              onClose(made.current);
            },
          },
        )
      }
    >
      <Field label="Name">
        <Input value={name} onChange={(event) => setName(event.target.value)} autoComplete="off" />
      </Field>
      <PlanField plan={plan} onPlan={(next) => setPlan(next)} />
    </FormDialog>
  );
}

/** Renames a team; admins of the installation also change its plan. */
export function EditTeam({
  team,
  isAdmin,
  onClose,
}: {
  team: TeamRow;
  isAdmin: boolean;
  onClose: () => void;
}) {
  const toaster = useToast();
  const fresh = { name: team.name ?? "", plan: asPlan(team.plan) };
  const { base, versionFor, failed } = useBegun(fresh, team.version ?? null);
  const [name, setName] = useState(base.name);
  const [plan, setPlan] = useState(base.plan);
  const save = useMutation(adminMutations.updateTeam(useApi()));
  const managed = new Set(team.managed ?? []);
  const change = {
    ...(name.trim() !== base.name && { name: name.trim() }),
    ...(plan !== null && plan !== base.plan && { plan }),
  };
  return (
    <FormDialog
      title={
        <>
          Edit <bdi>{teamTitle(team)}</bdi>
        </>
      }
      action="Save"
      failedTitle={
        isOutdated(save.error)
          ? "Someone else changed this team meanwhile: check, then save again"
          : "The team was not saved"
      }
      mutation={save}
      disabledReason={
        name.trim() === ""
          ? "Enter a name first"
          : Object.keys(change).length === 0
            ? "Nothing has changed"
            : undefined
      }
      isDirty={Object.keys(change).length > 0}
      onClose={onClose}
      onSubmit={() =>
        save.mutate(
          { params: { team_id: team.id }, body: { ...change, version: versionFor(change) } },
          {
            onError: failed,
            onSuccess: () => {
              toaster.show({ tone: "done", title: `${change.name ?? teamTitle(team)} saved` });
              onClose();
            },
          },
        )
      }
    >
      <Field label="Name" hint={managed.has("name") ? setInFile : undefined}>
        <Input
          value={name}
          readOnly={managed.has("name")}
          aria-disabled={managed.has("name")}
          onChange={(event) => setName(event.target.value)}
          autoComplete="off"
        />
      </Field>
      {isAdmin && !managed.has("plan") && plan !== null && <PlanField plan={plan} onPlan={setPlan} />}
    </FormDialog>
  );
}

function PlanField({ plan, onPlan }: { plan: Plan; onPlan: (plan: Plan) => void }) {
  return (
    <Field label="Plan" hint={plan === "free" ? "Team keys don’t work on this plan." : undefined}>
      <NativeSelect value={plan} onChange={(event) => onPlan(asPlan(event.target.value) ?? plan)}>
        <Options of={planNames} value={plan} />
      </NativeSelect>
    </Field>
  );
}

/** Asks before a team is retired: what nobody can use from then on. */
export function RetireTeam({ team, onClose }: { team: TeamRow; onClose: () => void }) {
  return (
    <ConfirmAction
      onClose={onClose}
      title={
        <>
          Retire <bdi>{teamTitle(team)}</bdi>?
        </>
      }
      consequence="No one sees what belongs to the team, nothing of it starts, and its keys stop at the next request. What is running goes on to its end. You can restore it at any time, with all that it has."
      action="Retire team"
      mutation={adminMutations.updateTeam(useApi())}
      variables={{ params: { team_id: team.id }, body: { retired: true, version: team.version ?? null } }}
      doneTitle={() => `${teamTitle(team)} retired`}
      failedTitle="The team was not retired"
    />
  );
}
