import { Link, useNavigate } from "@tanstack/react-router";
import ArrowLeft from "lucide-react/icons/arrow-left";
import { useState } from "react";
import { isNotFound } from "../../api/errors.ts";
import { useApi } from "../../lib/api/api-context.tsx";
import { useCan } from "../../lib/api/useCan.ts";
import { useDeleted } from "../../lib/deletion/deleted.ts";
import { Damage } from "../../lib/failure/Damage.tsx";
import { Failure } from "../../lib/failure/Failure.tsx";
import { LazyPart } from "../../lib/LazyPart.tsx";
import { useRead } from "../../lib/paging/useRead.ts";
import { usePreferences } from "../../lib/preferences/preferences.tsx";
import { useNow } from "../../lib/time/clock.tsx";
import { formatMoment } from "../../lib/time/format.ts";
import { Ago } from "../../lib/time/Time.tsx";
import { Button } from "../../ui/Button.tsx";
import { buttonClass } from "../../ui/buttonClass.ts";
import { dottedClass } from "../../ui/dottedClass.ts";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { Id } from "../../ui/Id.tsx";
import { later } from "../../ui/later.ts";
import { linkClass } from "../../ui/linkClass.ts";
import { Notice } from "../../ui/Notice.tsx";
import { SkeletonRows } from "../../ui/SkeletonRows.tsx";
import { StatePill } from "../../ui/StatePill.tsx";
import { Person } from "../directory/index.ts";

import { AddFiles } from "./AddFiles.tsx";
import { CostAndConsequence } from "./CostAndConsequence.tsx";
import { type FileIn, Files } from "./Files.tsx";
import { NotNow } from "./NotNow.tsx";
import { knowledgeQueries } from "./queries.ts";
import { SourceGone } from "./SourceGone.tsx";
import { readSourceSearch, type SourceSearch } from "./search.ts";
import { creditWords, type SourceIn, sourceName, sourceState, typeWords } from "./sources.ts";
import type { useApprove } from "./useApprove.ts";
import type { useSources } from "./useSources.ts";
import { whoseWords } from "./words.ts";

const DeleteSources = later(() => import("./DeleteSources.tsx"));
const OpenedFile = later(() => import("./OpenedFile.tsx"));

type Props = {
  sourceId: string;
  search: SourceSearch;
  inbox: ReturnType<typeof useSources>;
  approve: ReturnType<typeof useApprove>;
  teamName: (id: string) => string;
};

/** One source: what it costs and what follows before it is approved, its files, and the file that was opened. */
export default function SourceDetail({ sourceId, search, inbox, approve, teamName }: Props) {
  const api = useApi();
  const canRead = useCan("knowledge_sources");
  const canEstimate = useCan("knowledge_estimates");
  const canAdd = useCan("knowledge_files");
  const deleted = useDeleted(sourceId);
  const read = useRead({ ...knowledgeQueries.one(api, sourceId), enabled: canRead });
  const listed = inbox.sources.find((one) => one.id === sourceId);
  const source = (read.data?.data.source ?? listed) as
    | (SourceIn & { files?: readonly (FileIn | null)[] | null })
    | undefined;
  const isDraft = source?.status === "draft";
  const estimate = useRead({ ...knowledgeQueries.estimate(api, sourceId), enabled: canEstimate && isDraft });
  // Also where it was shown a moment ago, and the read that says so is not there yet.
  const isDeleted = deleted !== null && listed === undefined && inbox.query.data !== undefined;
  if (isDeleted || (read.isError && isNotFound(read.error)))
    return <SourceGone sourceId={sourceId} error={read.error} onRestored={() => void read.refetch()} />;
  if (!source?.id) {
    return read.isError ? (
      <Failure
        error={read.error}
        what="The source"
        onRetry={() => void read.refetch()}
        isRetrying={read.isRetrying}
        actions={
          <Link to="/knowledge" className={buttonClass("plain", "small")}>
            All sources
          </Link>
        }
      />
    ) : read.data !== undefined ? (
      <EmptyState
        title="The source cannot be shown"
        actions={
          <Link to="/knowledge" className={buttonClass("plain")}>
            All sources
          </Link>
        }
      >
        The service answered without it.
      </EmptyState>
    ) : (
      <SkeletonRows label="Reading the source" rows={6} columns={["2fr", "1fr"]} />
    );
  }
  const files = (source.files ?? []).filter((file): file is FileIn => Boolean(file?.id));
  const opened = files.find((file) => file.id === search.file);
  const others = inbox.sources.filter((one) => one.id !== sourceId && one.status !== "draft");
  return (
    <div className="flex min-h-full flex-col">
      <Head source={source} teamName={teamName} isMine={inbox.mine(source)} />
      <Damage damage={read.data?.damage ?? []} />
      {opened ? (
        <Opened sourceId={sourceId} file={opened} page={search.page} />
      ) : (
        <>
          {search.file !== undefined && read.data !== undefined && (
            <Notice kind="failed" title="That file is not in this source any more">
              It may have been replaced by one of the same name; its files are below.
            </Notice>
          )}
          <CostAndConsequence
            source={source}
            estimate={estimate.data?.data.estimate ?? null}
            others={others}
            teamName={teamName}
          />
          {canAdd && inbox.mine(source) && (
            <AddFiles key={sourceId} sourceId={sourceId} isCharged={!isDraft} />
          )}
          {files.length > 0 ? (
            <Files sourceId={sourceId} files={files} />
          ) : (
            <p className="px-edge-left py-4 text-muted">
              {source.files === undefined
                ? "This service does not list the files of a source."
                : "It has no files yet. What is added here can be found once it is indexed."}
            </p>
          )}
        </>
      )}
      {isDraft && (
        <Foot
          source={source}
          inbox={inbox}
          approve={approve}
          estimated={estimate.data?.data.estimate?.estimated_credits}
        />
      )}
    </div>
  );
}

type HeadProps = { source: SourceIn; teamName: (id: string) => string; isMine: boolean };

function Head({ source, teamName, isMine }: HeadProps) {
  const navigate = useNavigate();
  const canDelete = useCan("knowledge_deletion") && isMine;
  const [isDeleting, setDeleting] = useState(false);
  const { tone, title } = sourceState(source);
  return (
    <header className="px-edge-left pt-4 pb-3.5">
      <div className="flex gap-2">
        <Link to="/knowledge" className="hit mt-[7px] shrink-0 self-start md:hidden" aria-label="All sources">
          <ArrowLeft />
        </Link>
        <div className="flex min-w-0 flex-wrap items-center gap-2">
          <h2 className="min-w-0 break-words text-title">
            <bdi>{sourceName(source)}</bdi>
          </h2>
          <StatePill tone={tone} word={title} />
        </div>
        {canDelete && (
          <Button variant="quiet" className="ml-auto shrink-0" onClick={() => setDeleting(true)}>
            Delete…
          </Button>
        )}
      </div>
      {isDeleting && (
        <LazyPart>
          <DeleteSources
            sources={[source]}
            onClose={() => setDeleting(false)}
            onDeleted={() => void navigate({ to: "/knowledge" })}
          />
        </LazyPart>
      )}
      <p className={`mt-1 text-muted text-secondary ${dottedClass}`}>
        <span>{typeWords(source.source_type)}</span>
        <span>{whoseWords(source, teamName)}</span>
        <span>
          made <Ago at={source.created_at} /> by{" "}
          <Person id={source.created_by_user_id} of={source.creator} copies />
        </span>
        <span>
          <Id id={source.id} what="source id" cut={[10, 5]} />
        </span>
      </p>
    </header>
  );
}

function Opened({ sourceId, file, page }: { sourceId: string; file: FileIn; page: number | undefined }) {
  const navigate = useNavigate();
  return (
    <section aria-label="The opened file" className="flex min-h-0 flex-1 flex-col border-t">
      <p className="flex items-center gap-3 border-b px-edge-left py-2 text-secondary">
        <Link to="/knowledge/$sourceId" params={{ sourceId }} className={linkClass}>
          All files
        </Link>
        <bdi className="truncate font-medium">{file.file_name}</bdi>
      </p>
      <LazyPart>
        <OpenedFile
          sourceId={sourceId}
          file={file}
          page={page}
          onPage={(next) =>
            void navigate({
              to: "/knowledge/$sourceId",
              params: { sourceId },
              search: readSourceSearch({ file: file.id, page: next }),
              replace: true,
            })
          }
        />
      </LazyPart>
    </section>
  );
}

type FootProps = Pick<Props, "inbox" | "approve"> & {
  source: SourceIn;
  estimated: number | null | undefined;
};

/** The acts on a draft; the button carries the price. */
function Foot({ source, inbox, approve, estimated }: FootProps) {
  const { zone } = usePreferences();
  const now = useNow();
  const credits = estimated ?? source.estimated_credits;
  const until = inbox.putOff[source.id];
  const problem = approve.results.find((one) => one.id === source.id)?.problem ?? null;
  const isMine = inbox.mine(source);
  const canDelete = useCan("knowledge_deletion") && isMine;
  return (
    <footer className="sticky bottom-0 z-sticky mt-auto border-t bg-surface">
      {problem !== null && (
        <Notice kind="failed" title="It was not approved">
          {problem}
        </Notice>
      )}
      <div className="flex flex-wrap items-center gap-2 px-edge-left py-2.5">
        <span className="mr-auto min-w-0 flex-1 basis-40 text-muted text-secondary">
          {until !== undefined && until > now
            ? `Put off here until ${formatMoment(until, { zone })}.`
            : canDelete
              ? "To decline it, delete it; not now only hides it here."
              : "There is no decline; not now only hides it here."}
        </span>
        {until !== undefined ? (
          <Button onClick={() => inbox.putOffUntil(source.id, null)}>Bring it back</Button>
        ) : (
          <NotNow onUntil={(at) => inbox.putOffUntil(source.id, at)} />
        )}
        <Button
          variant="primary"
          className="max-sm:flex-1"
          loading={approve.open.includes(source.id)}
          disabledReason={isMine ? undefined : "its maker or its team approves it"}
          onClick={() => void approve.run([source.id])}
        >
          {typeof credits === "number" && credits > 0 ? `Approve for ${creditWords(credits)}` : "Approve"}
        </Button>
      </div>
    </footer>
  );
}
