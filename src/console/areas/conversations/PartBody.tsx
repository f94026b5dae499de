import { Link, useParams } from "@tanstack/react-router";
import ChevronRight from "lucide-react/icons/chevron-right";
import FileText from "lucide-react/icons/file-text";
import { type ReactNode, useState } from "react";
import { useApi } from "../../lib/api.tsx";
import { JsonView } from "../../lib/json/JsonView.tsx";
import { placeOf, safeUrl } from "../../lib/markdown/links.ts";
import { MarkdownText, PlainText } from "../../lib/markdown/MarkdownText.tsx";
import { ExternalLink, type Find, Marked } from "../../lib/markdown/Marked.tsx";
import { shownName } from "../../lib/shownName.ts";
import { cx } from "../../ui/cx.ts";
import { linkClass } from "../../ui/textClass.ts";
import { Said } from "./commands.tsx";
import { type Body, errorWords } from "./message-rows.ts";
import { ToolCard } from "./ToolCard.tsx";

type Props = { body: Body; find: Find; actions: ReactNode };

/**
 * What one part of a message says or holds. Nothing in it is a control of the console but folds, copies and links (C-14), and
 * the answers to a call that waits: the service says of which, and no text does.
 */
export function PartBody({ body, find, actions }: Props) {
  switch (body.kind) {
    case "said":
      return (
        <div className="max-w-text">
          {body.text === "" ? <Quiet>an empty message</Quiet> : <Said text={body.text} find={find} />}
        </div>
      );
    case "text":
      return (
        <div className="max-w-text [&_section]:max-w-none">
          {body.text.trim() === "" ? (
            <Quiet>an empty text</Quiet>
          ) : (
            <MarkdownText text={body.text} find={find} />
          )}
        </div>
      );
    case "call":
      return <ToolCard call={body.call} find={find} actions={actions} />;
    case "file":
      return <FileChip file={body} find={find} />;
    case "reasoning":
      return <Reasoning text={body.text} find={find} />;
    case "error":
      return <ErrorBlock error={body.error} isStop={body.isStop} find={find} />;
    case "notice":
      return (
        <p
          role="note"
          className="max-w-text break-words rounded-control border border-state-stopped-line bg-state-stopped-bg px-3 py-1.5 text-state-stopped-fg text-secondary"
        >
          <Marked text={body.text.slice(0, 8_000)} find={find} />
        </p>
      );
    case "raw":
      return (
        <article
          aria-label={`A part of type ${body.type}`}
          className="rounded-control border border-dashed border-state-unknown-line"
        >
          <p className="px-3 py-1.5 text-muted text-secondary">
            Unknown part type: <code className="text-state-unknown-fg">{shownName(body.type)}</code>
          </p>
          <div className="max-h-[320px] overflow-y-auto border-t bg-surface-sunken px-3 py-2">
            <JsonView value={body.value} label={body.type} find={find} />
          </div>
        </article>
      );
    case "nothing":
      return <Quiet>no message</Quiet>;
  }
}

function Quiet({ children }: { children: ReactNode }) {
  return <p className="text-faint">{children}</p>;
}

/** A file leads to its own page where this service has it: the link itself ends, and would only show the bytes. */
function FileChip({ file, find }: { file: Extract<Body, { kind: "file" }>; find: Find }) {
  const { agentId, interactionId } = useParams({ strict: false });
  const isOurs = placeOf(useApi(), file.url).kind === "here";
  const name = file.name === null ? "Untitled file" : shownName(file.name);
  const url = safeUrl(file.url);
  return (
    <div className="inline-flex max-w-full items-center gap-3 rounded-panel border border-line-strong py-1.5 pr-4 pl-3">
      <FileText className="size-4 text-muted" />
      <span className="min-w-0">
        <bdi className="block truncate font-medium" title={name}>
          <Marked text={name} find={find} />
        </bdi>
        <span className="block text-muted text-secondary">{file.mediaType ?? "unknown type"}</span>
      </span>
      {isOurs && file.name !== null && interactionId !== undefined ? (
        <Link
          to="/artifacts/in/$interactionId"
          params={{ interactionId }}
          search={{ ...(agentId !== undefined && { agent: agentId }), name: file.name }}
          className={cx(linkClass, "hit ml-3")}
        >
          Open
        </Link>
      ) : url ? (
        <ExternalLink href={file.url} className={cx(linkClass, "hit ml-3")}>
          Open
        </ExternalLink>
      ) : (
        <span className="ml-3 text-faint text-secondary">no address</span>
      )}
    </div>
  );
}

function Reasoning({ text, find }: { text: string; find: Find }) {
  const [isOpen, setOpen] = useState(false);
  const isForced = find.isCurrent && find.text !== "";
  const isShown = isOpen || isForced;
  return (
    <div className="max-w-text">
      <button
        type="button"
        aria-expanded={isShown}
        onClick={() => setOpen(!isShown)}
        className="-ml-0.5 flex max-w-full items-center gap-1.5 rounded-tag text-muted text-secondary hover:text-default"
      >
        <ChevronRight className={cx(isShown && "rotate-90")} />
        <span className="shrink-0 font-medium">Reasoning</span>
        {!isShown && (
          <span className="truncate text-faint">{text.slice(0, 200).replaceAll(/\s+/g, " ")}</span>
        )}
      </button>
      {isShown && (
        <div className="mt-1 ml-[5px] border-l-2 pl-3 text-muted">
          <PlainText text={text} find={find} />
        </div>
      )}
    </div>
  );
}

function ErrorBlock({ error, isStop, find }: { error: unknown; isStop: boolean; find: Find }) {
  const words = errorWords(error);
  return (
    <div
      className={cx(
        "rounded-control border px-3 py-2",
        isStop
          ? "border-state-stopped-line bg-state-stopped-bg"
          : "border-state-failed-line bg-state-failed-bg",
      )}
    >
      {words === null ? (
        <JsonView value={error} label="Error" find={find} />
      ) : (
        <p
          className={cx(
            "max-w-text whitespace-pre-wrap break-words",
            isStop ? "text-state-stopped-fg" : "text-state-failed-fg",
          )}
        >
          <Marked text={words.slice(0, 8_000)} find={find} />
        </p>
      )}
    </div>
  );
}
