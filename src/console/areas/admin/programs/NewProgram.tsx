import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useApi } from "../../../lib/api.tsx";
import { FormDialog } from "../../../lib/FormDialog.tsx";
import { Button } from "../../../ui/Button.tsx";
import { Checkbox } from "../../../ui/Checkbox.tsx";
import { CodeLine } from "../../../ui/CopyButton.tsx";
import { Dialog } from "../../../ui/Dialog.tsx";
import { Field, Textarea } from "../../../ui/Field.tsx";
import { Input } from "../../../ui/Input.tsx";
import { adminMutations } from "../mutations.ts";
import { OnceShown } from "../OnceShown.tsx";

type Made = { readonly id: string; readonly secret: string | null };

/** Registers a program: its name, where it is answered, and whether it has a secret. */
export function NewProgram({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState("");
  const [addresses, setAddresses] = useState("");
  const [hasSecret, setHasSecret] = useState(false);
  const [made, setMade] = useState<Made | null>(null);
  const register = useMutation(adminMutations.registerProgram(useApi()));
  const uris = addresses.split(/\s+/).filter((line) => line !== "");
  const lacking =
    name.trim() === ""
      ? "Enter a name first"
      : uris.length === 0
        ? "Enter a redirect address first"
        : undefined;
  const submit = () =>
    register.mutate(
      { body: { name: name.trim(), redirect_uris: uris, confidential: hasSecret } },
      { onSuccess: ({ data }) => setMade({ id: data.program?.id ?? "", secret: data.secret ?? null }) },
    );
  if (made !== null) return <Registered made={made} name={name.trim()} onClose={onClose} />;
  return (
    <FormDialog
      title="Register program"
      description="It can then ask people to act for them. Each of them decides."
      action="Register program"
      failedTitle="The program was not registered"
      mutation={register}
      disabledReason={lacking}
      isDirty={name !== "" || addresses !== ""}
      onClose={onClose}
      onSubmit={submit}
    >
      <Field label="Name" hint="People read it when the program asks them.">
        <Input value={name} onChange={(event) => setName(event.target.value)} autoComplete="off" />
      </Field>
      <Field
        label="Redirect addresses"
        hint="One per line, in full. For a program on the person’s own device http://127.0.0.1/callback: any port will do."
      >
        <Textarea
          isMono
          value={addresses}
          spellCheck={false}
          onChange={(event) => setAddresses(event.target.value)}
        />
      </Field>
      <Checkbox
        label="It runs on a server and can keep a secret"
        checked={hasSecret}
        onChange={(event) => setHasSecret(event.target.checked)}
      />
    </FormDialog>
  );
}

function Registered({ made, name, onClose }: { made: Made; name: string; onClose: () => void }) {
  const clientId = (
    <>
      <p className="mb-1.5 text-muted text-secondary">Client id</p>
      <CodeLine code={made.id} what="the client id" />
    </>
  );
  const title = (
    <>
      <bdi>{name}</bdi> is registered
    </>
  );
  if (made.secret !== null)
    return (
      <OnceShown
        title={title}
        description="Copy the secret now and keep it where the program finds it. The service stores no copy."
        secret={made.secret}
        what="client secret"
        onClose={onClose}
      >
        <div className="mt-4">{clientId}</div>
      </OnceShown>
    );
  return (
    <Dialog
      isNarrow
      onClose={onClose}
      title={title}
      description="The program needs this id, and no secret."
      footer={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      {clientId}
    </Dialog>
  );
}
