import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { FormProvider } from "react-hook-form";
import { type invitePerson, personInvite } from "../../../../contract/admin-people.ts";
import type { Call } from "../../../../contract/define.ts";
import { useApi } from "../../../lib/api.tsx";
import { FormDialog } from "../../../lib/FormDialog.tsx";
import { fieldsOf, Options } from "../../../lib/form/FormField.tsx";
import { rulesOf, showRefusal, useForm } from "../../../lib/form/useForm.ts";
import { changedParts } from "../../../lib/form/useKeptForm.ts";
import { usePreferences } from "../../../lib/preferences/preferences.tsx";
import { teamRoleNames } from "../../../lib/rights/role-names.ts";
import { shownName } from "../../../lib/shownName.ts";
import { formatMoment, parseTime } from "../../../lib/time/format.ts";
import { grouped } from "../../../lib/words.ts";
import { NativeSelect } from "../../../ui/Field.tsx";
import { Input } from "../../../ui/Input.tsx";
import { fileName, planNames, roleNames, teamRoleAbout } from "../labels.ts";
import { adminMutations } from "../mutations.ts";
import { OnceShown } from "../OnceShown.tsx";
import { teamsToChoose } from "./teams-to-choose.ts";

type Body = NonNullable<Call<typeof invitePerson>["body"]>;

/** What is filled in; without a team they are in none. */
interface Invite {
  readonly email: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly plan: NonNullable<Body["plan"]>;
  readonly role: NonNullable<Body["role"]>;
  readonly team: string;
  readonly team_role: NonNullable<Body["teams"]>[number]["role"];
}

const start: Invite = {
  ...{ email: "", first_name: "", last_name: "", plan: "pro", role: "member", team: "", team_role: "editor" },
};

export const personWords = {
  email: "Enter an e-mail address.",
  first_name: "Enter a first name.",
  last_name: "Enter a last name.",
};
const rules = rulesOf(personInvite, personWords);

const Form = fieldsOf<Invite>();

/** A link that signs somebody in once, as it may really come. */
export interface Invitation {
  readonly url?: string | null | undefined;
  readonly expires_at?: string | null | undefined;
}

const useTeamsToChoose = () => useQuery(teamsToChoose(useApi()));

type Made = { readonly id: string | undefined; readonly invitation: Invitation };

/**
 * Adds a person, and shows the link with which they sign in.
 * @param onClose gets the id of who was added
 */
export function InviteDialog({ onClose }: { onClose: (id?: string) => void }) {
  const api = useApi();
  const [made, setMade] = useState<Made | null>(null);
  const invite = useMutation(adminMutations.invite(api));
  const { form } = useForm<Invite>(rules, start, () => invite.isError && invite.reset());
  const read = useTeamsToChoose();
  const teams = read.data?.rows.filter(({ managed }) => !managed?.includes("members")) ?? [];
  const values = form.watch();
  const submit = ({ team, team_role: role, ...person }: Invite) => {
    // A second Enter: its refusal would take the place of the link (C-38).
    if (invite.isPending) return;
    invite.mutate(
      {
        body: { ...person, email: person.email.trim(), ...(team !== "" && { teams: [{ id: team, role }] }) },
      },
      {
        onSuccess: ({ data }) =>
          setMade({ id: data.person?.id ?? undefined, invitation: data.invitation ?? {} }),
        onError: (error) => showRefusal(form, error),
      },
    );
  };
  if (made !== null)
    return (
      <InvitationShown
        name={[values.first_name, values.last_name].join(" ").trim()}
        invitation={made.invitation}
        rowId={made.id}
        onClose={() => onClose(made.id)}
      />
    );
  const send = form.handleSubmit(submit);
  return (
    <FormProvider {...form}>
      <FormDialog
        title="Invite a person"
        description="You get a link that signs them in once, to pass on yourself: no e-mail is sent."
        action="Create invitation"
        failedTitle="No one was invited"
        mutation={invite}
        disabledReason={undefined}
        isDirty={changedParts(start, values) !== null}
        onClose={() => onClose()}
        onSubmit={() => void send()}
      >
        <Form.Field name="email" label="E-mail" required>
          {(field) => <Input {...field} type="email" autoComplete="off" />}
        </Form.Field>
        <div className="grid gap-3 sm:grid-cols-2">
          <Form.Field name="first_name" label="First name" required>
            {(field) => <Input {...field} autoComplete="off" />}
          </Form.Field>
          <Form.Field name="last_name" label="Last name" required>
            {(field) => <Input {...field} autoComplete="off" />}
          </Form.Field>
          <Form.Field name="role" label="Role" hint={roleHint(values.role)}>
            {(field) => (
              <NativeSelect {...field}>
                <Options of={roleNames} value={field.value} />
              </NativeSelect>
            )}
          </Form.Field>
          <Form.Field name="plan" label="Plan" hint={planHint(values.plan)}>
            {(field) => (
              <NativeSelect {...field}>
                <Options of={planNames} value={field.value} />
              </NativeSelect>
            )}
          </Form.Field>
          <Form.Field name="team" label="Team" aside="optional" hint={teamHint(read, teams.length)}>
            {(field) => (
              <NativeSelect {...field}>
                <option value="">No team</option>
                {teams.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {shownName(name || id)}
                  </option>
                ))}
              </NativeSelect>
            )}
          </Form.Field>
          {values.team !== "" && (
            <Form.Field name="team_role" label="Role in the team" hint={teamRoleAbout[values.team_role]}>
              {(field) => (
                <NativeSelect {...field}>
                  <Options of={teamRoleNames} value={field.value} />
                </NativeSelect>
              )}
            </Form.Field>
          )}
        </div>
      </FormDialog>
    </FormProvider>
  );
}

/** What a role in the whole installation means, where that is not plain. */
export const roleHint = (role: string): string | undefined =>
  role === "admin" ? "Manages all people, teams and keys." : undefined;
/** What a plan does not allow. */
export const planHint = (plan: string): string | undefined =>
  plan === "free" ? "API keys don’t work on this plan." : undefined;

function teamHint(
  { data, isError }: ReturnType<typeof useTeamsToChoose>,
  offered: number,
): string | undefined {
  if (data === undefined) return isError ? "The teams could not be loaded." : "Loading teams…";
  const hints = [
    ...(data.isCut ? [`Only the first ${grouped(data.rows.length)} teams are listed.`] : []),
    ...(offered < data.rows.length ? [`Not listed: teams whose members ${fileName} sets.`] : []),
  ];
  return hints.join(" ") || undefined;
}

type ShownProps = { name: string; invitation: Invitation; rowId?: string | undefined; onClose: () => void };

/** The link that signs somebody in, once. */
export function InvitationShown({ name, invitation, rowId, onClose }: ShownProps) {
  const { zone } = usePreferences();
  const until = parseTime(invitation.expires_at);
  return (
    <OnceShown
      title={
        <>
          Sign-in link for <bdi>{name}</bdi>
        </>
      }
      description={`It signs them in once${
        until === null ? "" : `, until ${formatMoment(until, { zone })}`
      }. Whoever has it is signed in as them: send it to no one else. Earlier links no longer work.`}
      secret={invitation.url ?? ""}
      what="sign-in link"
      rowId={rowId}
      onClose={onClose}
    />
  );
}
