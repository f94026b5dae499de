import { Link, type LinkProps } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Tone } from "../../../contract/states.ts";
import { LinkButton } from "../../lib/page/LinkButton.tsx";
import { StateShape } from "../../ui/State.tsx";
import { GroupHead } from "../../ui/Table.tsx";

type Props = {
  tone: Tone;
  /** What of it is not ours is isolated. */
  title: string;
  why: ReactNode;
  /** How much it weighs: bars, credits, agents. Left out on phones. */
  weight?: ReactNode;
  age?: ReactNode;
  /** Where the row leads. */
  link: LinkProps;
  /** The one small action, which leads where the row does unless told otherwise; left out on phones. */
  action?: { readonly label: string; readonly link?: LinkProps } | undefined;
};

/** One thing that needs somebody: what over why, its weight, its age and one action, in the same columns wherever there is one. */
export function WorkRow({ tone, title, why, weight, age, link, action }: Props) {
  return (
    <li className="relative flex min-h-row-tall items-start gap-3 border-b py-2 pr-edge-right pl-edge-left hover:bg-surface-hover">
      <StateShape tone={tone} className="mt-[3px]" />
      <div className="min-w-0 flex-1">
        <p className="line-clamp-3 break-words font-medium" title={title}>
          <Link {...link} data-stop="" className="focus-inset after:absolute after:inset-0">
            {title}
          </Link>
        </p>
        <p className="truncate text-muted text-secondary">{why}</p>
      </div>
      {weight !== undefined && (
        <span className="flex min-w-[118px] shrink-0 justify-end self-center text-secondary tabular-nums max-md:min-w-0 max-sm:hidden">
          {weight}
        </span>
      )}
      <span className="w-[68px] shrink-0 text-right text-muted text-secondary leading-5 sm:self-center">
        {age}
      </span>
      <span className="relative flex w-[92px] shrink-0 justify-end self-center max-sm:hidden">
        {action && (
          <LinkButton {...(action.link ?? link)} aria-label={`${action.label}: ${title}`} size="small">
            {action.label}
          </LinkButton>
        )}
      </span>
    </li>
  );
}

type WorkGroupProps = {
  name: string;
  /** For those who listen; the name unless told otherwise. */
  label?: string;
  count: number;
  /** Left out on phones. */
  remark: string;
  children: ReactNode;
};

/** Rows of one kind under their head; nothing where there are none. */
export function WorkGroup({ name, label = name, children, ...head }: WorkGroupProps) {
  if (head.count === 0) return null;
  return (
    <section aria-label={label}>
      <WorkHead name={name} {...head} />
      <ul>{children}</ul>
    </section>
  );
}

/** The head of a group: what it is, how many, and a remark. */
export function WorkHead({ remark, ...head }: { name: string; count: ReactNode; remark: string }) {
  return (
    <h3 className="flex h-row-group items-center border-b bg-surface-sunken pr-edge-right pl-edge-left [&>span]:flex-1">
      <GroupHead {...head} remark={<span className="max-sm:hidden">{remark}</span>} />
    </h3>
  );
}
