import type { ReactNode } from "react";
import { Brand } from "../../../ui/Brand.tsx";

/** What stands on the page of the sign-in whoever is asked, also before the first script has come (`app/frame/FrameShell.tsx`). */
export function SignInLayout({ children }: { children?: ReactNode }) {
  return (
    <div className="flex min-h-dvh">
      <main id="content" tabIndex={-1} className="min-w-0 flex-1 px-edge-left outline-none sm:px-8">
        <div className="mx-auto max-w-[432px] pt-9 pb-12">
          <Brand />
          <h1 className="mt-8 text-title">Sign in</h1>
          {children}
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
