import { LazyPart } from "../../lib/LazyPart.tsx";
import { later } from "../../ui/later.ts";
import { useSignedIn } from "../session/index.ts";
import type { useSources } from "./sources.ts";
import { useApprove } from "./useApprove.ts";

/** One source with all that is needed to decide. */
export const SourceDetail = later(() => import("./SourceDetail.tsx"));

type Props = {
  sourceId: string;
  inbox: ReturnType<typeof useSources>;
  /** The list that it stands beside. */
  list: "/inbox";
};

/** The same beside a list of another area. */
export function SourcePanel({ sourceId, ...rest }: Props) {
  const approve = useApprove();
  const { teams } = useSignedIn();
  return (
    <LazyPart>
      <SourceDetail
        key={sourceId}
        sourceId={sourceId}
        search={noFile}
        approve={approve}
        teamName={(id) => teams?.find((team) => team.id === id)?.name ?? id}
        {...rest}
      />
    </LazyPart>
  );
}

const noFile = {};
