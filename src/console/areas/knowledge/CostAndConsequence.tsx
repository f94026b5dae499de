import FileStack from "lucide-react/icons/file-stack";
import Play from "lucide-react/icons/play";
import Search from "lucide-react/icons/search";
import Users from "lucide-react/icons/users";
import type { ReactNode } from "react";
import type { Received } from "../../../contract/define.ts";
import type { getSourceEstimate } from "../../../contract/knowledge.ts";
import type { DataOf } from "../../api/client.ts";
import { differenceWords, formatCredits, type SourceIn } from "./sources.ts";
import { readersWords } from "./words.ts";

export type EstimateIn = NonNullable<Received<DataOf<typeof getSourceEstimate>>["estimate"]>;

type Props = {
  source: SourceIn;
  estimate: EstimateIn | null;
  /** Sources that were approved before: how good their estimates were. */
  others: readonly SourceIn[];
  teamName: (id: string) => string;
};

/** Beside each other: what approving costs and how good such estimates were, and what follows from it. */
export function CostAndConsequence({ source, estimate, others, teamName }: Props) {
  const credits = estimate?.estimated_credits ?? source.estimated_credits;
  const isDraft = source.status === "draft";
  return (
    <div className="flex border-t border-b max-sm:flex-col">
      <section
        aria-label="What it costs"
        className="w-[236px] shrink-0 border-r px-edge-left py-4 max-sm:w-full max-sm:border-r-0"
      >
        <h3 className="text-muted text-secondary">{isDraft ? "What it costs" : "What it cost"}</h3>
        {isDraft ? (
          typeof credits === "number" ? (
            <p className="mt-1">
              <span className="text-title tabular-nums">{formatCredits(credits)}</span>{" "}
              {credits === 1 ? "credit" : "credits"}, once
            </p>
          ) : (
            <p className="mt-1 text-muted">
              {estimate?.status === "running" ? "The estimate is still running." : "No estimate was given."}
            </p>
          )
        ) : (
          <p className="mt-1">
            <span className="text-title tabular-nums">{formatCredits(source.charged_credits ?? 0)}</span>{" "}
            charged so far
          </p>
        )}
        <p className="mt-2 text-muted text-secondary">
          {isDraft ? experience(others) : (differenceWords(source) ?? "")}
        </p>
      </section>
      <section aria-label="What follows" className="min-w-0 flex-1 px-edge-left py-4">
        <h3 className="text-muted text-secondary">{isDraft ? "What follows" : "After approval"}</h3>
        <ul className="mt-1.5 flex flex-col gap-1.5">
          {isDraft && (
            <Line icon={<Play />}>Indexing starts at once and charges the credits. It cannot be undone.</Line>
          )}
          <Line icon={<Search />}>
            Agents and flows find its passages as the documents come in, with file and page.
          </Line>
          <Line icon={<FileStack />}>
            <strong className="font-semibold">Files added later are indexed without asking again</strong>, and
            cost credits too.
          </Line>
          <Line icon={<Users />}>{readersWords(source, teamName)}</Line>
        </ul>
      </section>
    </div>
  );
}

function Line({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <li className="flex gap-3">
      <span className="mt-[3px] flex shrink-0 text-muted">{icon}</span>
      <span className="min-w-0 max-w-text">{children}</span>
    </li>
  );
}

/** How good estimates were: "The last 8 that finished were from 4 % below to 9 % above their estimate." */
function experience(others: readonly SourceIn[]): string {
  const shares = others.flatMap(({ estimated_credits: estimated, charged_credits: charged }) =>
    typeof estimated === "number" && typeof charged === "number" && estimated > 0
      ? [charged / estimated - 1]
      : [],
  );
  if (shares.length === 0)
    return "None has been approved before, so nothing tells how good estimates are here.";
  const words = (share: number) => {
    const percent = Math.round(share * 100);
    return percent === 0 ? "on" : `${Math.abs(percent)} % ${percent < 0 ? "below" : "above"}`;
  };
  const [low, high] = [words(Math.min(...shares)), words(Math.max(...shares))];
  const who = shares.length === 1 ? "The one that finished was" : `The ${shares.length} that finished were`;
  return low === high ? `${who} ${low} the estimate.` : `${who} from ${low} to ${high} their estimate.`;
}
