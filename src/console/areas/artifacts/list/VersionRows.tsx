import { formatSize } from "../../../lib/time/format.ts";
import { Ago } from "../../../lib/time/Time.tsx";
import { linkClass } from "../../../ui/linkClass.ts";
import { RestCell, Td } from "../../../ui/Table.tsx";
import { type ArtifactFile, artifactName, sizeWords } from "../artifact-row.ts";
import { useDownload } from "../useDownload.ts";
import { useVersions } from "../versions/useVersions.ts";
import { ArtifactLink } from "./ArtifactLink.tsx";

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
                  <span className="font-medium">Version {version.number ?? "not given"}</span>{" "}
                  <span className="ml-1.5 text-muted">
                    {growth(version.size, before?.size, version.number)}
                  </span>
                </span>
                <ArtifactLink row={row} {...numberOf(version)} className={linkClass}>
                  Open
                </ArtifactLink>
                {before && (
                  <ArtifactLink row={row} {...numberOf(version)} tab="changes" className={linkClass}>
                    Compare with {before.number ?? "the one before"}
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
              {version.by ?? "not given"}
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
              ? "Reading the conversation for the earlier versions…"
              : `${missing === 1 ? "1 earlier version" : `${missing} earlier versions`} that neither the list nor the conversation tells of`}
          </RestCell>
        </tr>
      )}
    </>
  );
}

const numberOf = ({ number, isNewest }: { number: number | null; isNewest: boolean }) =>
  number === null || isNewest ? {} : { version: number };

function growth(size: number | null, before: number | null | undefined, number: number | null): string {
  if (number === 1) return "first";
  if (size === null || before == null) return "";
  if (size === before) return "same size";
  return size > before ? `${formatSize(size - before)} more` : `${formatSize(before - size)} less`;
}
