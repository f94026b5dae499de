import { SelectRow } from "../../../lib/list/SelectRows.tsx";
import { Ago } from "../../../lib/time/Time.tsx";
import { useStore } from "../../../lib/useStore.ts";
import { cx } from "../../../ui/cx.ts";
import { type ArtifactFile, artifactName, sizeOf, sizeWords, typeOf } from "../artifact-row.ts";
import { zipHindrance } from "../download-zip.ts";
import { ArtifactLink } from "../names.tsx";
import { AgentName, type Shown } from "./ArtifactTable.tsx";
import { Thumbnail } from "./Thumbnail.tsx";
import { TypeIcon } from "./TypeIcon.tsx";

type Props = Pick<Shown, "selection" | "agents" | "conversations" | "hasAgents"> & {
  files: readonly ArtifactFile[];
  /** The one that one was at. */
  current: string | undefined;
};

/** Artifacts side by side, each with the beginning of the thing itself. */
export function ArtifactGrid({ files, current, ...shown }: Props) {
  const { selection, agents, conversations, hasAgents } = shown;
  const { ids } = useStore(selection.state);
  return (
    <ul
      aria-label="Artifacts"
      className="grid grid-cols-[repeat(auto-fill,minmax(208px,1fr))] gap-x-4 gap-y-5 border-t pt-4.5 pr-edge-right pb-5 pl-edge-left max-sm:grid-cols-[repeat(auto-fill,minmax(150px,1fr))]"
    >
      {files.map(({ newest: row, count }) => {
        const name = artifactName(row);
        return (
          <li
            key={row.id}
            data-row={row.id}
            className="group/row relative min-w-0 [contain-intrinsic-size:auto_216px] [content-visibility:auto]"
          >
            <div
              className={cx(
                "h-[172px] overflow-hidden rounded-panel border bg-surface-sunken",
                row.id === current && "border-accent-solid outline-1 outline-accent-solid",
              )}
            >
              <Thumbnail row={row} />
            </div>
            <ArtifactLink
              row={row}
              title={name}
              className="mt-2 block truncate font-medium after:absolute after:inset-0 after:rounded-panel"
            >
              <bdi>{name}</bdi>
            </ArtifactLink>
            <span className="flex items-baseline justify-between gap-3 text-muted text-secondary">
              <span className="min-w-0 truncate">
                {hasAgents ? (
                  <AgentName id={row.agent_id} names={agents} />
                ) : (
                  (conversations.get(row.session_id ?? "") ?? "unknown conversation")
                )}
                , {count > 1 ? `version ${count}` : sizeWords(sizeOf(row))}
              </span>
              <span className="shrink-0">
                <Ago at={row.created_at} />
              </span>
            </span>
            {zipHindrance(row) === null && (
              <SelectRow
                selection={selection}
                id={row.id}
                label={`Select ${name}`}
                isQuiet
                className={cx(
                  "absolute top-2 left-2 flex rounded-tag bg-surface-raised p-1",
                  ids.size === 0 && "max-sm:hidden",
                )}
              />
            )}
          </li>
        );
      })}
    </ul>
  );
}

type PhoneRowProps = Omit<Props, "files" | "selection"> & { file: ArtifactFile };

/** An artifact on phones: name and size, then where it came from and when. All of it is a link to its page. */
export function PhoneRow({ file, current, agents, conversations, hasAgents }: PhoneRowProps) {
  const { newest: row, count } = file;
  return (
    <div className="flex items-start gap-3 px-edge-left py-2 [content-visibility:auto] [contain-intrinsic-size:auto_52px]">
      <TypeIcon type={typeOf(row)} className="mt-1" />
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline gap-3">
          <ArtifactLink
            row={row}
            className={cx(
              "focus-inset min-w-0 flex-1 truncate font-medium after:absolute after:inset-0",
              row.id === current && "text-accent",
            )}
          >
            <bdi>{artifactName(row)}</bdi>
          </ArtifactLink>
          <span className="text-muted tabular-nums">{sizeWords(sizeOf(row))}</span>
        </span>
        <span className="flex items-baseline gap-3 text-muted text-secondary">
          <span className="min-w-0 flex-1 truncate">
            {hasAgents ? (
              <AgentName id={row.agent_id} names={agents} />
            ) : (
              (conversations.get(row.session_id ?? "") ?? typeOf(row))
            )}
            {count > 1 && `, ${count} versions`}
          </span>
          <Ago at={row.created_at} />
        </span>
      </span>
    </div>
  );
}
