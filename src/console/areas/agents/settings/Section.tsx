import { type ReactNode, useEffect } from "react";
import { cx } from "../../../ui/cx.ts";
import type { FieldPath } from "../agent/agent-draft.ts";
import { versionLabel } from "../labels.ts";
import { type AgentForm, holdsText } from "./form.ts";

type Props = {
  /** As the address names it. */
  id: string;
  title: ReactNode;
  /** Beside the title: what is edited here. */
  mark?: ReactNode;
  /** At the right of the title. */
  aside?: ReactNode;
  /** In the narrow column the titles are smaller. */
  isNarrow?: boolean;
  children: ReactNode;
};

/** The id of a section's title, where the list of sections leads. */
export const titleIdOf = (section: string): string => `section-${section}`;

/** Brings a section into view and gives its title the focus. */
export function goToSection(section: string): void {
  const title = document.getElementById(titleIdOf(section));
  title?.scrollIntoView?.({ block: "start" });
  title?.focus({ preventScroll: true });
}

/** Goes to the section that the address names, when it comes to name it. */
export function useSectionInView(section: string | undefined): void {
  useEffect(() => {
    if (section !== undefined) goToSection(section);
  }, [section]);
}

/** One section of the settings, with a title that takes the focus. */
export function Section({ id, title, mark, aside, isNarrow = false, children }: Props) {
  return (
    <section
      aria-labelledby={titleIdOf(id)}
      className={cx(
        "min-w-0 border-b py-4 pr-edge-right pl-edge-left last:border-b-0",
        isNarrow && "lg:px-5 lg:py-3.5",
      )}
    >
      <header className="mb-2 flex min-h-6 flex-wrap items-baseline gap-x-2.5 gap-y-1 max-sm:items-center">
        <h3
          id={titleIdOf(id)}
          tabIndex={-1}
          className={cx("scroll-mt-4 rounded-tag", isNarrow ? "font-semibold" : "text-heading")}
        >
          {title}
        </h3>
        {mark}
        {aside !== undefined && <span className="ml-auto self-center">{aside}</span>}
      </header>
      {children}
    </section>
  );
}

/** "edited", in the accent. */
export function EditedMark({ children = "edited" }: { children?: ReactNode }) {
  return <span className="text-accent text-secondary">{children}</span>;
}

/** Another person changed it too: amber, because a save will meet it. */
export function AlsoMark({ children }: { children: ReactNode }) {
  return (
    <span className="inline-flex items-baseline gap-1.5 text-secondary text-state-stopped-fg">
      <span className="size-2 self-center rounded-[2px] bg-state-stopped-mark" aria-hidden="true" />
      {children}
    </span>
  );
}

/** What is to be said beside a field: edited here, changed by another person since, or both. */
export function FieldMarks({ form, path }: { form: AgentForm; path: FieldPath }) {
  return (
    <>
      {(form.changed.has(path) || holdsText(form, path)) && <EditedMark />}
      {form.newer && form.theirs.has(path) && (
        <AlsoMark>
          {versionLabel(form.newer.version)} changed it{form.changed.has(path) && " too"}
        </AlsoMark>
      )}
    </>
  );
}
