import { Link, useNavigate } from "@tanstack/react-router";
import ArrowLeft from "lucide-react/icons/arrow-left";
import { type Ref, useRef, useState } from "react";
import { isNotFound } from "../../api/errors.ts";
import { AdminLinks } from "../../lib/admin-links/AdminLinks.tsx";
import { useApi, useCan } from "../../lib/api.tsx";
import { useDeleted } from "../../lib/deletion/useDeletion.ts";
import { Damage } from "../../lib/failure/Damage.tsx";
import { ReadFailure } from "../../lib/failure/Failure.tsx";
import { useFocusKept } from "../../lib/page/useFocusKept.ts";
import { useRead } from "../../lib/paging/useRead.ts";
import { useMissingRight } from "../../lib/rights/rights.ts";
import { Ago } from "../../lib/time/Time.tsx";
import { Button } from "../../ui/Button.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { Id } from "../../ui/Id.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { SkeletonRows } from "../../ui/SkeletonRows.tsx";
import { StatePill } from "../../ui/Tag.tsx";
import { dottedClass } from "../../ui/textClass.ts";
import { Person } from "../directory/index.ts";
import { ApprovalFoot, CostAndConsequence } from "./Approval.tsx";
import { AllSources, DeleteSources, SourceGone } from "./DeleteSources.tsx";
import { AddFiles, type FileIn, Files, OpenedFile } from "./Files.tsx";
import { knowledgeQueries } from "./queries.ts";
import type { SourceSearch } from "./search.ts";
import type { useSources } from "./sources.ts";
import { type SourceIn, sourceName, sourceState, typeWords, whoseWords } from "./sources.ts";
import type { useApprove } from "./useApprove.ts";

type Props = {
  sourceId: string;
  search: SourceSearch;
  inbox: ReturnType<typeof useSources>;
  approve: ReturnType<typeof useApprove>;
  teamName: (id: string) => string;
  /** The list that it stands beside. */
  list: "/knowledge" | "/inbox";
};

/** One source: what it costs and what follows before it is approved, its files, and the file that was opened. */
export default function SourceDetail(props: Props) {
  const { sourceId, search, inbox, approve, teamName, list } = props;
  const navigate = useNavigate();
  const onDeleted = () => void navigate({ to: list });
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
  const heading = useRef<HTMLHeadingElement>(null);
  useFocusKept(source && `${sourceId} ${isDraft}`, heading);
  const missing = useMissingRight(source?.team_id, "edit");
  const estimate = useRead({ ...knowledgeQueries.estimate(api, sourceId), enabled: canEstimate && isDraft });
  // Also where it was shown a moment ago, and the read that says so is not there yet.
  const isDeleted = deleted !== null && listed === undefined && inbox.query.data !== undefined;
  if (isDeleted || (read.isError && isNotFound(read.error)))
    return <SourceGone sourceId={sourceId} error={read.error} onRestored={() => void read.refetch()} />;
  if (!source?.id) {
    return read.isError ? (
      <ReadFailure query={read} what="The source" actions={<AllSources size="small" />} />
    ) : read.data !== undefined ? (
      <EmptyState title="The source could not be shown" actions={<AllSources />}>
        The service sent no data for it.
      </EmptyState>
    ) : (
      <SkeletonRows label="Loading the source" rows={6} columns={["2fr", "1fr"]} />
    );
  }
  const files = (source.files ?? []).filter((file): file is FileIn => Boolean(file?.id));
  const opened = files.find((file) => file.id === search.file);
  const others = inbox.sources.filter((one) => one.id !== sourceId && one.status !== "draft");
  return (
    <div className="flex min-h-full flex-col">
      <Head
        heading={heading}
        source={source}
        isMine={inbox.mine(source)}
        {...{ teamName, list, onDeleted }}
      />
      <Damage damage={read.data?.damage ?? []} />
      {opened ? (
        <OpenedFile sourceId={sourceId} file={opened} page={search.page} />
      ) : (
        <>
          {search.file !== undefined && read.data !== undefined && (
            <Notice kind="failed" title="That file is no longer in this source">
              It may have been replaced by one with the same name. Current files are below.
            </Notice>
          )}
          <CostAndConsequence
            source={source}
            estimate={estimate.data?.data.estimate ?? null}
            others={others}
            teamName={teamName}
          />
          {canAdd && inbox.mine(source) && (
            <AddFiles key={sourceId} sourceId={sourceId} name={sourceName(source)} isCharged={!isDraft} />
          )}
          {!isDraft && missing !== undefined && (
            <p className="px-edge-left py-3 text-muted">Add files, delete: {missing}.</p>
          )}
          {files.length > 0 ? (
            <Files sourceId={sourceId} files={files} />
          ) : (
            <p className="px-edge-left py-4 text-muted">
              {source.files === undefined
                ? "This service does not list a source’s files."
                : "No files yet. Files you add are searchable once indexed."}
            </p>
          )}
        </>
      )}
      {isDraft && (
        <ApprovalFoot
          source={source}
          inbox={inbox}
          approve={approve}
          estimated={estimate.data?.data.estimate?.estimated_credits}
          onDeleted={onDeleted}
        />
      )}
    </div>
  );
}

type HeadProps = Pick<Props, "teamName" | "list"> & {
  heading: Ref<HTMLHeadingElement>;
  source: SourceIn;
  isMine: boolean;
  onDeleted: () => void;
};

function Head({ heading, source, teamName, isMine, list, onDeleted }: HeadProps) {
  const canDelete = useCan("knowledge_deletion") && isMine;
  const [isDeleting, setDeleting] = useState(false);
  const { tone, title } = sourceState(source);
  return (
    <header className="px-edge-left pt-4 pb-3.5">
      <div className="flex gap-2 max-sm:flex-wrap">
        <Link
          to={list}
          className="hit mt-[7px] shrink-0 self-start md:hidden"
          aria-label={list === "/inbox" ? "All questions" : "All sources"}
        >
          <ArrowLeft />
        </Link>
        <div className="flex min-w-0 flex-1 flex-wrap items-center gap-2">
          <h2 ref={heading} tabIndex={-1} className="min-w-0 break-words rounded-tag text-title">
            <bdi>{sourceName(source)}</bdi>
          </h2>
          <StatePill tone={tone} word={title} />
        </div>
        <span className="flex gap-2 max-sm:basis-full sm:shrink-0">
          <AdminLinks kind="source" id={source.id} />
          {canDelete && (
            <Button variant="quiet" onClick={() => setDeleting(true)}>
              Delete…
            </Button>
          )}
        </span>
      </div>
      {isDeleting && (
        <DeleteSources sources={[source]} onClose={() => setDeleting(false)} onDeleted={onDeleted} />
      )}
      <p className={`mt-1 text-muted text-secondary ${dottedClass}`}>
        <span>{typeWords(source.source_type)}</span>
        <span>{whoseWords(source, teamName)}</span>
        <span>
          created <Ago at={source.created_at} /> by{" "}
          <Person id={source.created_by_user_id} of={source.creator} copies />
        </span>
        <span>
          <Id id={source.id} what="source ID" cut={[10, 5]} />
        </span>
      </p>
    </header>
  );
}
