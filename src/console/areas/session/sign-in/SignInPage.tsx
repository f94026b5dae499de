import { useRouter } from "@tanstack/react-router";
import { type ReactNode, useEffect, useState } from "react";
import { describeError } from "../../../api/describe-error.ts";
import { ConsoleError } from "../../../api/errors.ts";
import { Refusal } from "../../../lib/failure/Failure.tsx";
import { useTitle } from "../../../lib/page/Page.tsx";
import { Brand } from "../../../ui/Brand.tsx";
import { Notice } from "../../../ui/Notice.tsx";
import type { StartResult } from "../wheelhouse.tsx";
import { useSessionState, useWheelhouse } from "../wheelhouse.tsx";
import { isProviderRefusal, ProviderButton, ProviderRefused, useProviderSignIn } from "./ProviderSignIn.tsx";
import { SignInForm } from "./SignInForm.tsx";

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
    <div className="flex min-h-dvh">
      <main id="content" tabIndex={-1} className="min-w-0 flex-1 px-edge-left outline-none sm:px-8">
        <div className="mx-auto max-w-[432px] pt-9 pb-12">
          <Brand />
          <h1 className="mt-8 text-title">Sign in</h1>
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
        </div>
      </main>
      <aside
        aria-label="About keys"
        className="hidden w-[36%] max-w-[520px] border-l bg-surface-sunken px-10 pt-[92px] lg:block"
      >
        <Explained title="Which one do I use?">
          A personal key acts only as you. A team key acts for any team member, but can’t open chat files or
          personal artifacts. An access token comes from an app you signed in to and lasts an hour.
        </Explained>
        <Explained title="Where do I get a key?">
          From whoever runs the service. Where Wheelhouse runs,{" "}
          <code className="text-mono">npm run wheelhouse -- keys create --person USER_ID --name NAME</code>{" "}
          prints one. Other services show them on your account page. Keys need the Pro plan or above; access
          tokens do not.
        </Explained>
        <Explained title="What is stored here?">
          Only the key, for this browser’s open tabs. It is gone when you close the last one. Signing out in
          one tab signs out all of them.
        </Explained>
        <hr className="mb-6 border-line-strong" />
        <Explained title="Have a sign-in link?">
          Links from the command line (<code className="text-mono">sign-in-link</code>) open this page already
          signed in. Each works once, within ten minutes.
        </Explained>
      </aside>
    </div>
  );
}

function Explained({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mb-7">
      <h2 className="font-semibold">{title}</h2>
      <p className="text-muted">{children}</p>
    </section>
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
