import { formatSize } from "../../../lib/files.ts";
import { Ago } from "../../../lib/time/Time.tsx";
import { counted } from "../../../lib/words.ts";
import { buttonClass } from "../../../ui/Button.tsx";
import { PageFoot } from "../../../ui/PageFrame.tsx";
import { RestCell, Table, Td } from "../../../ui/Table.tsx";
import { linkClass } from "../../../ui/textClass.ts";
import { Person } from "../../directory/index.ts";
import { type ArtifactFile, artifactName, sizeWords } from "../artifact-row.ts";
import { useDownload } from "../links.ts";
import { ArtifactLink } from "../names.tsx";
import type { ArtifactIn } from "../queries.ts";
import { type FileVersion, useVersions } from "./useVersions.ts";

type Props = {
  row: ArtifactIn;
  versions: readonly FileVersion[];
  isReading: boolean;
  /** How many there are that nobody tells of. */
  missing: number;
};

/** All versions of a file, newest first. */
export function VersionList({ row, versions, isReading, missing }: Props) {
  const download = useDownload();
  return (
    <>
      <Table
        label="Versions"
        className="[&_th]:border-t-0"
        rows={versions}
        idOf={({ key }) => key}
        columns={{
          version: {
            head: "Version",
            kind: "name",
            cell: (version) => (
              <>
                <ArtifactLink row={row} {...numberOf(version)}>
                  Version {version.number ?? "unknown"}
                </ArtifactLink>
                {version.isNewest && <span className="ml-2 font-normal text-muted">newest</span>}
              </>
            ),
          },
          size: { head: "Size", width: 104, kind: "mutedFigure", cell: ({ size }) => sizeWords(size) },
          made: {
            head: "Made",
            width: 120,
            kind: "muted",
            className: "max-sm:hidden",
            cell: ({ at }) => <Ago at={at} />,
          },
          actions: {
            head: <span className="sr-only">Actions</span>,
            width: 280,
            headClass: "max-md:w-[184px]",
            cellClass: "text-right",
            cell: (version) => {
              const before = versions[versions.indexOf(version) + 1];
              return (
                <span className="-my-1 inline-flex gap-2">
                  {before && (
                    <ArtifactLink
                      row={row}
                      {...numberOf(version)}
                      tab="changes"
                      className={buttonClass("quiet", "small")}
                    >
                      <span className="max-md:hidden">Compare with {before.number ?? "previous"}</span>
                      <span className="md:hidden">Compare</span>
                    </ArtifactLink>
                  )}
                  <button
                    type="button"
                    className={buttonClass("quiet", "small")}
                    onClick={() => download.mutate({ name: artifactName(row), renew: version.renew })}
                  >
                    Download
                  </button>
                </span>
              );
            },
          },
        }}
      />
      <PageFoot>
        {isReading
          ? "Looking for earlier versions in the conversation…"
          : counted(versions.length, "version")}
        {missing > 0 && !isReading && `, ${missing} more not available`}
      </PageFoot>
    </>
  );
}

/** The versions of one file, under its row: how much each has more, and what can be done with it. */
export function VersionRows({ file, hasAgents }: { file: ArtifactFile; hasAgents: boolean }) {
  const { versions, isReading, missing } = useVersions(file);
  const download = useDownload();
  const row = file.newest;
  return (
    <>
      {versions.map((version, at) => {
        const before = versions[at + 1];
        return (
          <tr key={version.key} className="bg-surface-sunken [--row:30px] [&>td]:border-b">
            <td colSpan={2} />
            <Td colSpan={2} className="text-secondary">
              <span className="flex gap-3">
                <span className="min-w-0 truncate">
                  <span className="font-medium">Version {version.number ?? "unknown"}</span>{" "}
                  <span className="ml-1.5 text-muted">
                    {growth(version.size, before?.size, version.number)}
                  </span>
                </span>
                <ArtifactLink row={row} {...numberOf(version)} className={linkClass}>
                  Open
                </ArtifactLink>
                {before && (
                  <ArtifactLink row={row} {...numberOf(version)} tab="changes" className={linkClass}>
                    Compare with {before.number ?? "previous"}
                  </ArtifactLink>
                )}
                <button
                  type="button"
                  className={linkClass}
                  onClick={() => download.mutate({ name: artifactName(row), renew: version.renew })}
                >
                  Download
                </button>
              </span>
            </Td>
            <Td className="@max-[720px]:hidden" />
            <Td kind="figure" className="text-muted text-secondary">
              {sizeWords(version.size)}
            </Td>
            {hasAgents && <Td className="@max-[860px]:hidden" />}
            <Td className="@max-[1040px]:hidden" />
            <Td kind="support" className="@max-[1200px]:hidden">
              {version.by ? <Person of={version.by} /> : "unknown"}
            </Td>
            <Td kind="figure" className="text-muted text-secondary">
              <Ago at={version.at} />
            </Td>
          </tr>
        );
      })}
      {(isReading || missing > 0) && (
        <tr className="bg-surface-sunken [--row:30px] [&>td]:border-b">
          <td colSpan={2} />
          <RestCell before={2} kind="support">
            {isReading
              ? "Looking for earlier versions in the conversation…"
              : `${counted(missing, "earlier version")} not available`}
          </RestCell>
        </tr>
      )}
    </>
  );
}

const numberOf = ({ number, isNewest }: FileVersion) =>
  number === null || isNewest ? {} : { version: number };

function growth(size: number | null, before: number | null | undefined, number: number | null): string {
  if (number === 1) return "first";
  if (size === null || before == null) return "";
  if (size === before) return "same size";
  return size > before ? `${formatSize(size - before)} larger` : `${formatSize(before - size)} smaller`;
}
