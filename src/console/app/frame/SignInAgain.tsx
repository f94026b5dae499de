import { type FormEvent, useRef, useState } from "react";
import { oidcStartPath } from "../../../contract/oidc.ts";
import { describeError } from "../../api/describe-error.ts";
import type { ConsoleError } from "../../api/errors.ts";
import type { Check } from "../../areas/session/sign-in.ts";
import type { SignedIn } from "../../areas/session/signed-in.ts";
import { useWheelhouse } from "../../areas/session/wheelhouse.tsx";
import { Refusal } from "../../lib/failure/Failure.tsx";
import { Button, buttonClass } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { Field, PasswordInput } from "../../ui/Field.tsx";
import { Notice } from "../../ui/Notice.tsx";

type Props = { as: SignedIn; error: ConsoleError | null };

/** The key is no longer accepted: over the page, which stays as it is. What was typed and what was sent goes on afterwards. */
export default function SignInAgain({ as, error }: Props) {
  const wheelhouse = useWheelhouse();
  const [secret, setSecret] = useState("");
  const [isChecking, setChecking] = useState(false);
  const [problem, setProblem] = useState<unknown>(null);
  const checking = useRef<AbortController>(null);
  const { connection, credential } = as;
  const isToken = credential.kind === "token";
  const what = isToken ? "access token" : "key";
  const provider = wheelhouse.connections.find(({ path }) => path === connection.path)?.signIn;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isChecking || secret.trim() === "") return;
    checking.current?.abort();
    const stop = new AbortController();
    checking.current = stop;
    setChecking(true);
    setProblem(null);
    let checks: readonly Check[] = [];
    try {
      const renewed = await wheelhouse.check(
        { connection, credential: { ...credential, secret: secret.trim() }, thisTabOnly: as.thisTabOnly },
        {
          signal: stop.signal,
          onChecks: (list) => {
            checks = list;
          },
        },
      );
      if (renewed) wheelhouse.session.renew({ ...renewed, userName: as.userName });
      else setProblem(checks.find((check) => check.status === "failed")?.problem?.error ?? null);
    } finally {
      setChecking(false);
    }
  };

  return (
    <Dialog
      isNarrow
      canClose={false}
      title={`Your ${what} is no longer accepted`}
      description={`Sign in again to continue. This page and what you typed are kept.${isToken ? " Access tokens expire; a new sign-in link works too." : ""}`}
    >
      {provider !== undefined && isToken && (
        <p className="mb-4">
          {/* Another tab hands its sign-in over to this one, which keeps what is typed. */}
          <a href={oidcStartPath} target="_blank" rel="noreferrer" className={buttonClass("primary")}>
            Sign in with {provider} in a new tab
          </a>
        </p>
      )}
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Field
          label={`${isToken ? "Access token" : "Key"} for ${connection.name}`}
          hint={credential.userId === null ? undefined : `as ${credential.userId}`}
        >
          <PasswordInput
            what={what}
            value={secret}
            onChange={(event) => setSecret(event.target.value)}
            autoFocus
          />
        </Field>
        {problem !== null && (
          <Notice kind="failed" look="box" title="This one was not accepted either">
            <p className="text-muted">{describeError(problem).means}</p>
            <p className="mt-1 flex items-center gap-1 text-muted text-secondary">
              <Refusal error={problem} />
            </p>
          </Notice>
        )}
        <div className="flex items-center gap-2">
          <Button
            type="submit"
            variant="primary"
            loading={isChecking}
            disabledReason={secret.trim() === "" ? `Enter the ${what}` : undefined}
          >
            Sign in and continue
          </Button>
          <Button variant="quiet" onClick={() => wheelhouse.session.signOut()}>
            Sign out
          </Button>
        </div>
        {problem === null && error !== null && (
          <p className="flex items-center gap-1 text-muted text-secondary">
            <Refusal error={error} />
          </p>
        )}
      </form>
    </Dialog>
  );
}
