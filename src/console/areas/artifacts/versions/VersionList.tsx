import { Ago } from "../../../lib/time/Time.tsx";
import { buttonClass } from "../../../ui/buttonClass.ts";
import { PageFoot } from "../../../ui/PageFoot.tsx";
import { Table, Td, Th, Tr } from "../../../ui/Table.tsx";
import { artifactName, sizeWords } from "../artifact-row.ts";
import { ArtifactLink } from "../list/ArtifactLink.tsx";
import type { ArtifactIn } from "../queries.ts";
import { useDownload } from "../useDownload.ts";
import type { FileVersion } from "./useVersions.ts";

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
      <Table label="Versions" className="[&_th]:border-t-0">
        <thead>
          <tr>
            <Th>Version</Th>
            <Th isFigure className="w-[104px]">
              Size
            </Th>
            <Th className="w-[120px] max-sm:hidden">Made</Th>
            <Th className="w-[280px] max-md:w-[184px]">
              <span className="sr-only">What can be done</span>
            </Th>
          </tr>
        </thead>
        <tbody>
          {versions.map((version, at) => {
            const before = versions[at + 1];
            const number = version.number === null || version.isNewest ? {} : { version: version.number };
            return (
              <Tr key={version.key}>
                <Td kind="name">
                  <ArtifactLink row={row} {...number}>
                    Version {version.number ?? "not given"}
                  </ArtifactLink>
                  {version.isNewest && <span className="ml-2 font-normal text-muted">newest</span>}
                </Td>
                <Td kind="figure" className="text-muted">
                  {sizeWords(version.size)}
                </Td>
                <Td kind="muted" className="max-sm:hidden">
                  <Ago at={version.at} />
                </Td>
                <Td className="text-right">
                  <span className="-my-1 inline-flex gap-2">
                    {before && (
                      <ArtifactLink
                        row={row}
                        {...number}
                        tab="changes"
                        className={buttonClass("quiet", "small")}
                      >
                        <span className="max-md:hidden">
                          Compare with {before.number ?? "the one before"}
                        </span>
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
                </Td>
              </Tr>
            );
          })}
        </tbody>
      </Table>
      <PageFoot>
        {isReading
          ? "Reading the conversation for the earlier versions…"
          : versions.length === 1
            ? "1 version"
            : `${versions.length} versions`}
        {missing > 0 &&
          !isReading &&
          `, and ${missing} more that neither the list nor the conversation tells of`}
      </PageFoot>
    </>
  );
}
