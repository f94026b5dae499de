import ExternalLink from "lucide-react/icons/external-link";
import { PlainText } from "../../lib/markdown/MarkdownText.tsx";
import { shownName } from "../../lib/shownName.ts";
import { buttonClass } from "../../ui/Button.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { Part } from "./QuestionFacts.tsx";
import { QuestionForm } from "./QuestionForm.tsx";
import type { QuestionDetailsIn } from "./queries.ts";
import type { Answer } from "./useAnswer.ts";

type Props = { question: QuestionDetailsIn; answer: Answer };

/** What the server of a tool asks, in its own words: a form, or a page that the person opens by themselves. */
export function ServerQuestion({ question, answer }: Props) {
  const { form, link, state } = question;
  const isOffered = state === "waiting" && question.may_answer === true;
  return (
    <>
      <ServerWords words={form?.question ?? ""} link={link ?? null} isOffered={isOffered} />
      <QuestionForm question={question} answer={answer} />
    </>
  );
}

type LinkIn = NonNullable<QuestionDetailsIn["link"]>;
type WordsProps = {
  words: string;
  /** A page to open; null: it asks for a form. */
  link: LinkIn | null;
  /** Whether the reader may answer now. */
  isOffered: boolean;
};

/** What a server says before it goes on, as its own words, and what to beware of. */
export function ServerWords({ words, link, isOffered }: WordsProps) {
  return (
    <>
      <Part title="What the server says">
        <blockquote className="max-w-text break-words border-l-2 pl-3">
          <PlainText text={words} />
        </blockquote>
        <p className="mt-1.5 max-w-text text-faint text-secondary">
          In the server’s own words; no one has checked them.
        </p>
      </Part>
      {link?.url && <LinkPart link={link} isOffered={isOffered} />}
      {isOffered && !link && (
        <Notice kind="waits" title="Your answer goes to the server">
          Don’t type a password, key, code or card number here, whatever the server says.
        </Notice>
      )}
    </>
  );
}

type LinkProps = { link: LinkIn; isOffered: boolean };

/** Where the page is, host first, and the one click that opens it. Nothing asks for it before. */
function LinkPart({ link, isOffered }: LinkProps) {
  const host = shownName(link.host || "unknown host");
  // The service has checked it; whatever else comes is not opened.
  const isSafe = /^https:\/\/|^http:\/\/(localhost|127\.0\.0\.1|\[::1\])[:/]/.test(link.url ?? "");
  return (
    <Part title="A page to open">
      <p className="max-w-text">
        It leads to <bdi className="break-all font-semibold">{host}</bdi>
        {link.is_foreign && ", which is not the server’s own host"}.
      </p>
      <p className="mt-1 max-w-text break-all text-mono-narrow text-muted">
        <bdi>{shownName(link.url ?? "")}</bdi>
      </p>
      {isOffered && isSafe && (
        <a
          href={link.url ?? undefined}
          target="_blank"
          rel="noopener noreferrer"
          className={`mt-2.5 ${buttonClass("plain")}`}
        >
          <ExternalLink /> Open {host} in a new tab
        </a>
      )}
    </Part>
  );
}
