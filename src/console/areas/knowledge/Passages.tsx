import { Link } from "@tanstack/react-router";
import type { Received } from "../../../contract/define.ts";
import type { searchKnowledge } from "../../../contract/knowledge.ts";
import type { DataOf } from "../../api/client.ts";
import { ConsoleError } from "../../api/errors.ts";
import { useApi } from "../../lib/api.tsx";
import { ReadFailure } from "../../lib/failure/Failure.tsx";
import { ExternalLink } from "../../lib/markdown/Marked.tsx";
import { useSettledText } from "../../lib/paging/PageSearch.tsx";
import { hasFailed, useRead } from "../../lib/paging/useRead.ts";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { SearchInput } from "../../ui/SearchInput.tsx";
import { SkeletonRows } from "../../ui/SkeletonRows.tsx";
import { knowledgeQueries } from "./queries.ts";

type PassageIn = NonNullable<NonNullable<Received<DataOf<typeof searchKnowledge>>["results"]>[number]>;

/** Asks as an agent would: the passages with their source, file and page, best first. */
export function Passages({ query, onQuery }: { query: string; onQuery: (query: string) => void }) {
  const [text, setText] = useSettledText(query, onQuery);
  const read = useRead({ ...knowledgeQueries.search(useApi(), query), enabled: query !== "" });
  const results = (read.data?.data.results ?? []).filter((one): one is PassageIn => one !== null);
  return (
    <section aria-label="Passages" className="flex max-w-[860px] flex-col gap-3 p-5">
      <SearchInput
        label="Search knowledge"
        placeholder="Words or “exact phrases”"
        data-page-search=""
        shortcut="/"
        value={text}
        onText={setText}
      />
      {query === "" ? (
        <p className="text-muted">
          Search as agents (search_knowledge) and flows (knowledge_search) do, in the active sources you can
          read.
        </p>
      ) : read.isPending ? (
        <SkeletonRows label="Searching" rows={4} columns={["1fr"]} />
      ) : isNoQuestion(read.error) ? (
        <EmptyState title="Enter a word to search for" className="-mx-5 max-sm:-mx-4">
          Excluded words only narrow a search; add at least one word to find.
        </EmptyState>
      ) : hasFailed(read) ? (
        <ReadFailure query={read} what="The passages" />
      ) : results.length === 0 ? (
        <EmptyState title="No passages found" className="-mx-5 max-sm:-mx-4">
          No active source you can read has these words. Drafts are searchable once approved.
        </EmptyState>
      ) : (
        <ol className="flex flex-col gap-4">
          {results.map((passage, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two passages of one page have nothing that tells them apart
            <li key={at}>
              <Passage passage={passage} />
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

/** The service looks for nothing where all words are to be left out. */
function isNoQuestion(error: unknown): boolean {
  return error instanceof ConsoleError && error.code === "invalid_body";
}

function Passage({ passage }: { passage: PassageIn }) {
  const { metadata, title, source, content, url } = passage;
  const name = title || metadata?.file_name || "Untitled document";
  const page = metadata?.page;
  const place = (
    <>
      <bdi>{name}</bdi>
      {typeof page === "number" && `, page ${page}`}
    </>
  );
  return (
    <article>
      <h3 className="font-medium">
        {metadata?.source_id && metadata.file_id ? (
          <Link
            to="/knowledge/$sourceId"
            params={{ sourceId: metadata.source_id }}
            search={{ file: metadata.file_id, ...(typeof page === "number" && { page }) }}
            className="text-accent hover:text-accent-hover"
          >
            {place}
          </Link>
        ) : (
          <ExternalLink href={url}>{place}</ExternalLink>
        )}
        <span className="ml-2 font-normal text-muted text-secondary">
          <bdi>{metadata?.source_name || source}</bdi>
          {metadata?.section && <bdi>, {metadata.section}</bdi>}
        </span>
      </h3>
      <p className="mt-0.5 max-w-text whitespace-pre-line break-words">
        <Marked text={content ?? ""} marks={metadata?.marks ?? []} />
      </p>
    </article>
  );
}

type Mark = { readonly start?: number | null | undefined; readonly end?: number | null | undefined } | null;

/** The text with the words of the query marked; places that lie outside of it are passed over. */
function Marked({ text, marks }: { text: string; marks: readonly Mark[] }) {
  const parts: React.ReactNode[] = [];
  let done = 0;
  for (const mark of marks) {
    const { start, end } = mark ?? {};
    if (
      typeof start !== "number" ||
      typeof end !== "number" ||
      start < done ||
      end <= start ||
      end > text.length
    )
      continue;
    parts.push(
      text.slice(done, start),
      <mark key={start} className="rounded-mark bg-hit-bg text-default">
        {text.slice(start, end)}
      </mark>,
    );
    done = end;
  }
  return (
    <>
      {parts}
      {text.slice(done)}
    </>
  );
}
