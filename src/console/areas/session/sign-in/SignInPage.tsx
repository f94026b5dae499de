import { useRouter } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { describeError } from "../../../api/describe-error.ts";
import { ConsoleError } from "../../../api/errors.ts";
import { Refusal } from "../../../lib/failure/Failure.tsx";
import { useTitle } from "../../../lib/page/Page.tsx";
import { Notice } from "../../../ui/Notice.tsx";
import type { StartResult } from "../wheelhouse.tsx";
import { useSessionState, useWheelhouse } from "../wheelhouse.tsx";
import { isProviderRefusal, ProviderButton, ProviderRefused, useProviderSignIn } from "./ProviderSignIn.tsx";
import { SignInForm } from "./SignInForm.tsx";
import { SignInLayout } from "./SignInLayout.tsx";

type Props = {
  /** Where to go afterwards: a path of this console. */
  next: string;
  started: StartResult;
};

/** Which connection, with what, as whom. */
export function SignInPage({ next, started }: Props) {
  const { session } = useWheelhouse();
  const state = useSessionState();
  const router = useRouter();
  useTitle("Sign in");
  const provider = useProviderSignIn(next);
  const isIn = "as" in state;
  // What went wrong before this form says nothing about what is typed into it now.
  const [isEdited, setEdited] = useState(false);
  // Signed in here, or by another tab, which may hand over its sign-in only when this page stands already.
  useEffect(() => {
    if (isIn) router.history.replace(next);
  }, [isIn, next, router]);
  return (
    <SignInLayout>
      <p className="mb-5 text-muted">
        {provider === null
          ? "Your key stays in this browser and is sent only to the connection you choose."
          : "Use your organization’s account, or a key."}
      </p>
      {started.kind === "link-refused" &&
        !isEdited &&
        (isProviderRefusal(started.error) ? (
          <ProviderRefused error={started.error} name={provider?.name ?? null} />
        ) : (
          <LinkRefused error={started.error} />
        ))}
      {state.status === "signed-out" && state.why === "elsewhere" && !isEdited && (
        <Notice kind="waits" look="box" className="mb-5">
          You signed out in another tab. The key was removed from all tabs.
        </Notice>
      )}
      {provider !== null && <ProviderButton provider={provider} />}
      <SignInForm onEdit={() => setEdited(true)} onDone={session.signIn} />
    </SignInLayout>
  );
}

function LinkRefused({ error }: { error: unknown }) {
  const { what } = describeError(error);
  // The link may be as good as ever: others of the same network sent too many wrong ones.
  if (error instanceof ConsoleError && error.status === 429)
    return (
      <Notice kind="failed" look="box" title="Too many attempts" className="mb-5">
        <p className="text-muted">{what} Then open the link again.</p>
      </Notice>
    );
  return (
    <Notice kind="failed" look="box" title="The sign-in link did not work" className="mb-5">
      <p className="text-muted">
        {what} Links work once, within ten minutes. Sign in with a key, or print a new link where Wheelhouse
        runs:
      </p>
      <p className="mt-1 overflow-x-auto">
        <code className="whitespace-nowrap text-mono">
          npm run wheelhouse -- sign-in-link --person USER_ID
        </code>
      </p>
      <p className="mt-1 flex items-center gap-1 text-muted text-secondary">
        <Refusal error={error} />
      </p>
    </Notice>
  );
}
