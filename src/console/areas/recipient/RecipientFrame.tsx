import type { ReactNode } from "react";
import { Brand } from "../../ui/Brand.tsx";
import { linkClass } from "../../ui/textClass.ts";

type Props = {
  /** Who shares it, once that may be told. */
  sharedBy?: string | null | undefined;
  /** At the right of the bar. */
  aside?: ReactNode;
  /** Content that goes from edge to edge, on the page's own ground. */
  isWide?: boolean;
  children: ReactNode;
};

/** Around the page for strangers: the mark, and nothing of the console. */
export function RecipientFrame({ sharedBy, aside, isWide = false, children }: Props) {
  return (
    <div className={isWide ? "flex h-dvh flex-col bg-surface" : "flex min-h-dvh flex-col bg-surface-sunken"}>
      <header className="flex h-topbar shrink-0 items-center gap-3.5 border-b bg-surface px-4 sm:px-5">
        <Brand />
        {sharedBy && (
          <span className="min-w-0 truncate text-muted">
            shared with you by <bdi>{sharedBy}</bdi>
          </span>
        )}
        <span className="ml-auto text-muted text-secondary max-sm:hidden">{aside}</span>
      </header>
      <main id="content" tabIndex={-1} className="flex min-h-0 flex-1 flex-col outline-none">
        {children}
      </main>
      <footer className="flex min-h-8 shrink-0 flex-wrap items-center justify-between gap-x-4 border-t bg-surface px-4 py-1 text-muted text-secondary sm:px-5">
        <span>Served by Wheelhouse. Nothing is stored on this device.</span>
        <span>
          Have an account?{" "}
          <a href="/sign-in" className={linkClass}>
            Sign in
          </a>
        </span>
      </footer>
    </div>
  );
}

/** The head of a page in one column: a sign, what it is, and one line under it. */
export function RecipientHead({ icon, title, about }: { icon: ReactNode; title: string; about: ReactNode }) {
  return (
    <div className="flex items-start gap-3.5">
      <span
        aria-hidden="true"
        className="flex size-10 shrink-0 items-center justify-center rounded-panel border bg-surface text-muted [&_.lucide]:size-4"
      >
        {icon}
      </span>
      <div className="min-w-0">
        <h1 className="text-title">{title}</h1>
        <p className="text-muted">{about}</p>
      </div>
    </div>
  );
}
