import { useMutation } from "@tanstack/react-query";
import type { ComponentProps } from "react";
import { FormProvider } from "react-hook-form";
import { personChange, type updatePerson } from "../../../../contract/admin-people.ts";
import type { Call } from "../../../../contract/define.ts";
import { useApi } from "../../../lib/api.tsx";
import { FormDialog } from "../../../lib/FormDialog.tsx";
import { fieldsOf, Options } from "../../../lib/form/FormField.tsx";
import { rulesOf, showRefusal, useForm } from "../../../lib/form/useForm.ts";
import { changedParts } from "../../../lib/form/useKeptForm.ts";
import { NativeSelect } from "../../../ui/Field.tsx";
import { Input } from "../../../ui/Input.tsx";
import { useToast } from "../../../ui/Toast.tsx";
import { fullName, nameOf, planNames, roleNames, setInFile } from "../labels.ts";
import { adminMutations } from "../mutations.ts";
import type { PersonRow } from "../queries.ts";
import { isOutdated, useBegun } from "../useBegun.ts";
import { personWords, planHint, roleHint } from "./InviteDialog.tsx";

type Change = NonNullable<Call<typeof updatePerson>["body"]>;

interface Edited {
  readonly email: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly plan: string;
  readonly role: string;
}

const rules = rulesOf(personChange, personWords);
const Form = fieldsOf<Edited>();

type Props = { person: PersonRow; onClose: () => void };

/** Changes a person. Only what was changed here is sent, so that what somebody else changed meanwhile stays. */
export function PersonDialog({ person, onClose }: Props) {
  const toaster = useToast();
  const fresh: Edited = {
    email: person.email ?? "",
    first_name: person.first_name ?? "",
    last_name: person.last_name ?? "",
    plan: person.plan ?? "",
    role: person.role ?? "",
  };
  const { base, versionFor, failed } = useBegun(fresh, person.version ?? null);
  const save = useMutation(adminMutations.updatePerson(useApi()));
  const { form } = useForm<Edited>(rules, base, () => save.isError && save.reset());
  const values = form.watch();
  const changed = changedParts(base, values);
  const managed = new Set(person.managed ?? []);
  const isGiven = (name: string) => name === "role" && person.role_by_groups === true;
  const submit = () => {
    if (changed === null || save.isPending) return;
    // A role or plan that we do not know is not among what can be chosen, so none is sent.
    const body = { ...changed, version: versionFor(changed) } as Change;
    save.mutate(
      { params: { user_id: person.id }, body },
      {
        onSuccess: () => {
          toaster.show({ tone: "done", title: `${fullName({ ...person, ...changed })} saved` });
          onClose();
        },
        onError: (error) => {
          failed(error);
          showRefusal(form, error);
        },
      },
    );
  };
  const send = form.handleSubmit(submit);
  const text = (name: "email" | "first_name" | "last_name", props: ComponentProps<typeof Input> = {}) => ({
    name,
    ...(managed.has(name) && { hint: setInFile }),
    children: (field: ComponentProps<typeof Input>) => (
      <Input
        {...field}
        {...props}
        autoComplete="off"
        readOnly={managed.has(name)}
        aria-disabled={managed.has(name)}
      />
    ),
  });
  const choice = (name: "plan" | "role", names: Readonly<Record<string, string>>, hint?: string) => ({
    name,
    hint: managed.has(name) ? setInFile : isGiven(name) ? "Given by the identity provider’s groups" : hint,
    children: (field: ComponentProps<typeof NativeSelect> & { value: string }) =>
      managed.has(name) || isGiven(name) ? (
        <Input {...readOnlyOf(nameOf(names, field.value))} />
      ) : (
        <NativeSelect {...field}>
          <Options of={names} value={field.value} />
        </NativeSelect>
      ),
  });
  return (
    <FormProvider {...form}>
      <FormDialog
        title={
          <>
            Edit <bdi>{fullName(person)}</bdi>
          </>
        }
        action="Save"
        {...(isOutdated(save.error)
          ? {
              failedTitle: "Someone else changed this person meanwhile",
              failure:
                "Nothing was saved yet. Your changes are still here: save again to add them to theirs.",
            }
          : { failedTitle: "The person was not saved" })}
        mutation={save}
        disabledReason={changed === null ? "Nothing has changed" : undefined}
        isDirty={changed !== null}
        onClose={onClose}
        onSubmit={() => void send()}
      >
        <Form.Field label="E-mail" {...text("email", { type: "email" })} />
        <div className="grid gap-3 sm:grid-cols-2">
          <Form.Field label="First name" {...text("first_name")} />
          <Form.Field label="Last name" {...text("last_name")} />
          <Form.Field label="Role" {...choice("role", roleNames, roleHint(values.role))} />
          <Form.Field label="Plan" {...choice("plan", planNames, planHint(values.plan))} />
        </div>
      </FormDialog>
    </FormProvider>
  );
}

const readOnlyOf = (value: string) => ({ value, readOnly: true, "aria-disabled": true }) as const;
