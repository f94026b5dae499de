import { Link, useNavigate } from "@tanstack/react-router";
import { useCallback } from "react";
import { useDeleted } from "../../lib/deletion/useDeletion.ts";
import { Damage } from "../../lib/failure/Damage.tsx";
import { Stale } from "../../lib/failure/Stale.tsx";
import { LazyPart } from "../../lib/LazyPart.tsx";
import { Page } from "../../lib/page/Page.tsx";
import { phone, useMedia } from "../../lib/useMedia.ts";
import { later } from "../../ui/later.ts";
import { SkeletonRows } from "../../ui/SkeletonRows.tsx";
import { Tab, TabBar } from "../../ui/Tabs.tsx";
import { useAgentNames } from "../directory/index.ts";
import { OpenSharing, ShareButton } from "../sharing/index.ts";
import { ArtifactHeader, ArtifactMenu } from "./ArtifactHeader.tsx";
import type { ArtifactFile } from "./artifact-row.ts";
import { artifactName, kindOfRow } from "./artifact-row.ts";
import { ArtifactMissing } from "./FindArtifact.tsx";
import { useConversationNames } from "./names.tsx";
import { DownloadButton, Preview } from "./preview/Preview.tsx";
import { Reading } from "./preview/view.tsx";
import { type ArtifactSearch, type ArtifactTab, readArtifactSearch, tabs } from "./search.ts";
import { useArtifact } from "./useArtifact.ts";
import { useVersions } from "./versions/useVersions.ts";
import { VersionList } from "./versions/VersionList.tsx";

const titles: Record<ArtifactTab, string> = {
  preview: "Preview",
  changes: "Changes",
  versions: "Versions",
  raw: "Raw",
};

const VersionDiff = later(() => import("./versions/VersionDiff.tsx"));

/** One file: looked at, compared with its earlier versions, downloaded, shared. */
export function ArtifactPage({ artifactId, search }: { artifactId: string; search: ArtifactSearch }) {
  const { file, isGone, located, watched, queryKey, damage } = useArtifact(artifactId, search.agent);
  // A list that was read a moment before still has what was deleted since.
  const isDeleted = useDeleted(artifactId) !== null;
  const parents = [{ key: "artifacts", link: <Link to="/artifacts">Artifacts</Link> }];
  if (file && !isDeleted) {
    return (
      <Found
        file={file}
        search={search}
        queryKey={queryKey}
        notices={
          <>
            <Stale query={watched} />
            <Damage damage={damage} />
          </>
        }
      />
    );
  }
  return (
    <Page title="Artifact" heading={artifactId} parents={parents}>
      {isDeleted || isGone || located.isError || located.data ? (
        <ArtifactMissing artifactId={artifactId} isGone={isGone} located={located} />
      ) : (
        <SkeletonRows label="Loading the artifact" rows={8} columns={["32px", "2fr", "1fr"]} />
      )}
    </Page>
  );
}

type Props = {
  file: ArtifactFile;
  search: ArtifactSearch;
  queryKey: readonly unknown[];
  notices: React.ReactNode;
};

function Found({ file, search, queryKey, notices }: Props) {
  const navigate = useNavigate({ from: "/artifacts/$artifactId" });
  const row = file.newest;
  const name = artifactName(row);
  const isPhone = useMedia(phone);
  const agents = useAgentNames();
  const conversations = useConversationNames([row]);
  const { versions, isReading, missing } = useVersions(file);
  const shown =
    versions.find((one) => String(one.number) === search.version) ??
    (search.version === undefined ? versions[0] : undefined);
  const at = shown ? versions.indexOf(shown) : -1;
  const before =
    versions.find((one) => String(one.number) === search.with && one !== shown) ?? versions[at + 1];
  const kind = kindOfRow(row);
  const hasRaw = ["markdown", "json", "csv", "html", "svg"].includes(kind);
  const hasTab: Record<ArtifactTab, boolean> = {
    preview: true,
    changes: file.count > 1 && (hasRaw || kind === "code" || kind === "text"),
    versions: file.count > 1,
    raw: hasRaw,
  };
  const tab = search.tab !== undefined && hasTab[search.tab] ? search.tab : "preview";
  const change = useCallback(
    (part: Partial<Record<keyof ArtifactSearch, string | number | undefined>>) =>
      void navigate({ search: (old) => readArtifactSearch({ ...old, ...part }), replace: true }),
    [navigate],
  );
  const onPage = useCallback((page: number) => change({ page }), [change]);
  const download = shown && <DownloadButton version={shown} name={name} />;
  const words: Record<ArtifactTab, string> = {
    ...titles,
    changes:
      before && !isPhone
        ? `Changes since ${before.number === null ? "the previous version" : `version ${before.number}`}`
        : titles.changes,
  };
  return (
    <Page
      title={tab === "preview" ? name : `${name} · ${titles[tab].toLowerCase()}`}
      heading={<bdi>{name}</bdi>}
      parents={[
        { key: "artifacts", link: <Link to="/artifacts">Artifacts</Link> },
        ...(row.agent_id && !isPhone
          ? [
              {
                key: "agent",
                link: (
                  <Link
                    to="/agents/$agentId"
                    params={{ agentId: row.agent_id }}
                    search={{ tab: "artifacts" }}
                  >
                    {agents.get(row.agent_id) ?? row.agent_id}
                  </Link>
                ),
              },
            ]
          : []),
      ]}
      live={queryKey}
      actions={isPhone && <ArtifactMenu row={row} />}
      {...(isPhone && {
        foot: (
          <div className="flex w-full gap-3 [&_button]:flex-1">
            {download}
            <ShareButton artifact={row} />
          </div>
        ),
      })}
    >
      <ArtifactHeader
        row={row}
        name={name}
        shown={shown}
        versions={versions}
        agents={agents}
        conversations={conversations}
        onVersion={(number) => change({ version: number, with: undefined, page: undefined })}
        actions={
          !isPhone && (
            <>
              {download}
              <ShareButton artifact={row} />
              <ArtifactMenu row={row} />
            </>
          )
        }
      />
      <TabBar label="Artifact views" className="shrink-0 pr-edge-right pl-edge-left">
        {tabs
          .filter((one) => hasTab[one])
          .map((one) => (
            <Tab key={one} isActive={one === tab} count={one === "versions" ? file.count : undefined}>
              <Link
                to="/artifacts/$artifactId"
                params={{ artifactId: row.id }}
                search={readArtifactSearch({ ...search, tab: one })}
                replace
              >
                {words[one]}
              </Link>
            </Tab>
          ))}
      </TabBar>
      {notices}
      {tab === "versions" ? (
        <VersionList row={row} versions={versions} isReading={isReading} missing={missing} />
      ) : !shown ? (
        isReading ? (
          <SkeletonRows label="Loading versions" rows={8} columns={["32px", "2fr", "1fr"]} />
        ) : (
          <NoSuchVersion id={row.id} version={search.version} count={file.count} agentId={row.agent_id} />
        )
      ) : tab === "changes" ? (
        before ? (
          <LazyPart fallback={<Reading />}>
            <VersionDiff a={before} b={shown} kind={kind} name={name} />
          </LazyPart>
        ) : (
          <p className="max-w-text p-5 text-muted">
            {isReading
              ? "Looking for earlier versions in the conversation…"
              : "There is no earlier version to compare with."}
          </p>
        )
      ) : (
        <Preview
          key={`${tab} ${shown.key}`}
          version={shown}
          filename={row.filename ?? null}
          name={name}
          page={search.page}
          onPage={onPage}
          isRaw={tab === "raw"}
        />
      )}
      <OpenSharing artifacts={[row]} />
    </Page>
  );
}

function NoSuchVersion(props: {
  id: string;
  version: string | undefined;
  count: number;
  agentId: string | null | undefined;
}) {
  return (
    <p className="max-w-text p-5 text-muted">
      Version {props.version} is not available; this file has{" "}
      {props.count === 1 ? "one version" : `${props.count} versions`}.{" "}
      <Link
        to="/artifacts/$artifactId"
        params={{ artifactId: props.id }}
        search={props.agentId ? { agent: props.agentId } : {}}
        className="font-medium text-accent"
      >
        Show the latest version
      </Link>
    </p>
  );
}
