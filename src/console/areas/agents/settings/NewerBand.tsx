import { Link } from "@tanstack/react-router";
import GitMerge from "lucide-react/icons/git-merge";
import { Ago } from "../../../lib/time/Time.tsx";
import { buttonClass } from "../../../ui/buttonClass.ts";
import { Notice } from "../../../ui/Notice.tsx";
import type { AgentForm } from "./form.ts";
import { useVersionAuthor } from "./useSettings.ts";
import { fieldWords, listWords } from "./words.ts";

/** A band as wide as the page; on phones its act stands under the words. */
export const bandClass =
  "[&>div]:max-w-none max-sm:flex-wrap max-sm:[&>div:last-child]:basis-full max-sm:[&>div:last-child]:pl-[22px]";

/** Somebody saved a newer version while a draft is open: what it changed, said before anything is sent. */
export function NewerBand({ agentId, form }: { agentId: string; form: AgentForm }) {
  const version = form.newer?.version ?? null;
  const author = useVersionAuthor(agentId, version);
  if (!form.newer) return null;
  const who = author.name ?? "Somebody";
  const theirs = [...form.theirs];
  const both = theirs.filter((path) => form.changed.has(path));
  return (
    <Notice
      kind="waits"
      icon={<GitMerge />}
      action={<TheirChangesLink name={author.name} />}
      className={bandClass}
    >
      <strong className="font-semibold">
        {who} saved {version === null ? "a newer version" : `version ${version}`}
        {author.at !== null && (
          <>
            , <Ago at={author.at} />
          </>
        )}
        .
      </strong>{" "}
      {version === null || form.baseVersion === null ? "It" : `Version ${form.baseVersion} to ${version}`}{" "}
      changed {listWords(theirs.map(fieldWords))}.{" "}
      {both.length > 0 && `You changed ${listWords(both.map(fieldWords))} too. `}
      Go on writing, nothing is lost.
    </Notice>
  );
}

export function TheirChangesLink({ name }: { name: string | null }) {
  return (
    <Link
      from="/agents/$agentId/settings"
      to="."
      search={(old) => ({ ...old, see: "theirs" as const })}
      className={buttonClass("plain", "small")}
    >
      See {name === null ? "their" : `${name.split(" ")[0]}’s`} changes
    </Link>
  );
}
