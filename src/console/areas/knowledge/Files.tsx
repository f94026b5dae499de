import { Link } from "@tanstack/react-router";
import type { Received } from "../../../contract/define.ts";
import type { BrainFile } from "../../../contract/knowledge.ts";
import type { Tone } from "../../../contract/states.ts";
import { formatSize } from "../../lib/time/format.ts";
import { State } from "../../ui/State.tsx";
import { Table, Td, Th, Tr } from "../../ui/Table.tsx";
import { formatCredits } from "./sources.ts";

export type FileIn = Received<BrainFile> & { readonly id: string };

/** How far a file is; a status that we do not know is shown as it came. */
const tones: ReadonlyMap<string, readonly [Tone, string]> = new Map([
  ["estimating", ["running", "being counted"]],
  ["pending", ["waiting", "waiting"]],
  ["indexing", ["running", "being read"]],
  ["indexed", ["done", "found by agents"]],
  ["failed", ["failed", "failed"]],
]);

/** The files of a source: how far each is, what it has, and why one could not be read. */
export function Files({ sourceId, files }: { sourceId: string; files: readonly FileIn[] }) {
  return (
    <Table label="Files">
      <thead>
        <tr>
          <Th>File</Th>
          <Th isFigure className="w-[72px] @max-[600px]:hidden">
            Pages
          </Th>
          <Th isFigure className="w-[88px] @max-[700px]:hidden">
            Tokens
          </Th>
          <Th isFigure className="w-[80px] @max-[480px]:hidden">
            Credits
          </Th>
          <Th className="w-[156px]">State</Th>
        </tr>
      </thead>
      <tbody>
        {files.map((file) => {
          const [tone, word] = tones.get(file.status ?? "") ?? ["unknown", file.status ?? "not given"];
          return (
            <Tr key={file.id}>
              <Td title={file.error ?? undefined}>
                {file.url ? (
                  <Link
                    to="/knowledge/$sourceId"
                    params={{ sourceId }}
                    search={{ file: file.id }}
                    className="hit font-medium"
                  >
                    <bdi>{file.file_name}</bdi>
                  </Link>
                ) : (
                  <bdi className="font-medium">{file.file_name}</bdi>
                )}
                <span className="ml-2.5 text-muted text-secondary">
                  {file.error || (typeof file.size === "number" && formatSize(file.size))}
                </span>
              </Td>
              <Td kind="figure" className="text-muted @max-[600px]:hidden">
                {file.page_count ?? "–"}
              </Td>
              <Td kind="figure" className="text-muted @max-[700px]:hidden">
                {file.tokens?.toLocaleString("en-GB") ?? "–"}
              </Td>
              <Td kind="figure" className="text-muted @max-[480px]:hidden">
                {typeof file.credits === "number" ? formatCredits(file.credits) : "–"}
              </Td>
              <Td kind="muted">
                <State tone={tone} word={word} />
              </Td>
            </Tr>
          );
        })}
      </tbody>
    </Table>
  );
}
