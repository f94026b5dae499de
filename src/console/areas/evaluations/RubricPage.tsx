import { useMutation } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import ArrowLeft from "lucide-react/icons/arrow-left";
import { useState } from "react";
import { errorText } from "../../api/describe-error.ts";
import { isNotFound } from "../../api/errors.ts";
import { AdminLinks } from "../../lib/admin-links/AdminLinks.tsx";
import { useApi, useCan } from "../../lib/api.tsx";
import { Damage } from "../../lib/failure/Damage.tsx";
import { ReadFailure } from "../../lib/failure/Failure.tsx";
import { Stale } from "../../lib/failure/Stale.tsx";
import { LinkButton } from "../../lib/page/LinkButton.tsx";
import { useRead } from "../../lib/paging/useRead.ts";
import { useMissingRight } from "../../lib/rights/rights.ts";
import { Ago } from "../../lib/time/Time.tsx";
import { Button } from "../../ui/Button.tsx";
import { Switch } from "../../ui/Choices.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { Id } from "../../ui/Id.tsx";
import { SkeletonRows } from "../../ui/SkeletonRows.tsx";
import { Tab, TabBar } from "../../ui/Tabs.tsx";
import { useToast } from "../../ui/Toast.tsx";
import { dottedClass, linkClass } from "../../ui/textClass.ts";
import { NotFoundForYou, useSignedIn } from "../session/index.ts";
import type { RubricIn } from "./queries.ts";
import { evaluationMutations, evaluationQueries } from "./queries.ts";
import { RubricEditor } from "./RubricEditor.tsx";
import { RubricResults } from "./RubricResults.tsx";
import { amountWords, DeleteRubric, reachWords, rubricName } from "./Rubrics.tsx";
import { newRubric } from "./search.ts";

type Props = { rubricId: string; part: "results" | undefined };

const all = { tab: "rubrics" } as const;
const back = (
  <LinkButton to="/evaluations" search={all}>
    All rubrics
  </LinkButton>
);

/** One saved rubric, or a new one: what it looks at, whether it runs, and what it found. */
export default function RubricPage({ rubricId, part }: Props) {
  const navigate = useNavigate();
  const { who } = useApi();
  const canLook = useCan("rubric_edit");
  const onMade = (id: string) =>
    void navigate({
      to: "/evaluations",
      search: { ...all, ...(canLook && id !== "" && { rubric: id }) },
      replace: true,
    });
  if (rubricId === newRubric) {
    return who.kind === "team" ? (
      <EmptyState title="Team keys can’t create rubrics" actions={back}>
        Sign in with a personal key. You can make the team its owner right away.
      </EmptyState>
    ) : (
      <>
        <Back />
        <RubricEditor rubric={null} onMade={onMade} />
      </>
    );
  }
  if (!canLook)
    return (
      <EmptyState title="Rubrics can’t be opened here" actions={back}>
        This service can list and delete saved rubrics, but not change them.
      </EmptyState>
    );
  return <Known key={rubricId} rubricId={rubricId} part={part} onMade={onMade} />;
}

function Back() {
  return (
    <p className="border-b py-2 pr-edge-right pl-edge-left text-secondary">
      <Link to="/evaluations" search={all} className={linkClass}>
        <span className="inline-flex items-baseline gap-1.5">
          <ArrowLeft className="self-center" /> Saved rubrics
        </span>
      </Link>
    </p>
  );
}

function Known({ rubricId, part, onMade }: Props & { onMade: (id: string) => void }) {
  const navigate = useNavigate();
  const read = useRead(evaluationQueries.rubric(useApi(), rubricId));
  const found = read.data?.data.evaluation as RubricIn | undefined;
  const gone = read.isError && isNotFound(read.error) && (
    <NotFoundForYou what="rubric" id={rubricId} error={read.error} or="was deleted," actions={back} />
  );
  const rubric = gone ? { ...found, id: rubricId } : found;
  if (!rubric?.id)
    return read.isError ? (
      <ReadFailure query={read} what="The rubric" actions={back} />
    ) : (
      <SkeletonRows label="Loading the rubric" rows={6} columns={["1fr"]} />
    );
  return (
    <>
      <Back />
      {!gone && (
        <>
          <Stale query={read} />
          <Damage damage={read.data?.damage ?? []} />
          <Head rubric={rubric} onDeleted={() => void navigate({ to: "/evaluations", search: all })} />
          <TabBar label="Rubric views" className="shrink-0 pr-edge-right pl-edge-left">
            {([undefined, "results"] as const).map((one) => (
              <Tab key={one ?? "criteria"} isActive={part === one}>
                <Link to="/evaluations" search={{ ...all, rubric: rubricId, part: one }} replace>
                  {one === undefined ? "Criteria" : "Results"}
                </Link>
              </Tab>
            ))}
          </TabBar>
        </>
      )}
      {part === "results" && !gone ? (
        <RubricResults rubricId={rubricId} isOn={rubric.enabled === true} />
      ) : (
        <RubricEditor rubric={rubric} gone={gone} onMade={onMade} />
      )}
    </>
  );
}

/** What it is called, whom it judges and how much, and the switch. */
function Head({ rubric, onDeleted }: { rubric: RubricIn; onDeleted: () => void }) {
  const api = useApi();
  const toaster = useToast();
  const { teams } = useSignedIn();
  const change = useMutation(evaluationMutations.change(api, rubric.id));
  const missing = useMissingRight(rubric.team_id, "edit");
  const [isDeleting, setDeleting] = useState(false);
  const teamName = (id: string) => teams?.find((team) => team.id === id)?.name ?? id;
  const use = amountWords(rubric);
  const isOn = change.isPending ? change.variables.enabled === true : rubric.enabled === true;
  const turn = (enabled: boolean) =>
    change.mutate(
      { enabled },
      {
        onSuccess: () =>
          toaster.show({
            tone: enabled ? "done" : "stopped",
            title: `${rubricName(rubric)} is ${enabled ? "on" : "off"}`,
            detail: enabled ? "It applies from the next turn." : "It no longer evaluates; its results stay.",
          }),
        onError: (error) =>
          toaster.show({
            tone: "failed",
            title: `Could not turn ${enabled ? "on" : "off"}`,
            detail: errorText(error),
          }),
      },
    );
  return (
    <header className="flex flex-wrap items-start gap-x-4 gap-y-2 py-3.5 pr-edge-right pl-edge-left">
      <div className="min-w-0 flex-1 basis-64">
        <h2 className="min-w-0 break-words text-title">
          <bdi>{rubricName(rubric)}</bdi>
        </h2>
        <p className={`mt-1 text-muted text-secondary ${dottedClass}`}>
          <span>evaluates {reachWords(rubric.team_id, teamName)}</span>
          {use !== null && <span>evaluated {use}</span>}
          {rubric.use?.last_at && (
            <span>
              last <Ago at={rubric.use.last_at} />
            </span>
          )}
          <span>
            changed <Ago at={rubric.updated_at} />
          </span>
          <span>
            <Id id={rubric.id} what="rubric ID" cut={[8, 4]} />
          </span>
        </p>
      </div>
      <div className="flex flex-wrap items-center gap-3 sm:shrink-0">
        <Switch
          label={isOn ? "On" : "Off"}
          aria-label="Evaluate conversations"
          checked={isOn}
          aria-disabled={missing !== undefined}
          // Nor on the way.
          onChange={(event) => !change.isPending && turn(event.target.checked)}
        />
        <AdminLinks kind="evaluation" id={rubric.id} />
        <Button variant="quiet" disabledReason={missing} reasonAs="title" onClick={() => setDeleting(true)}>
          Delete…
        </Button>
      </div>
      {missing !== undefined && <p className="basis-full text-muted text-secondary">Change: {missing}.</p>}
      {isDeleting && (
        <DeleteRubric rubric={rubric} canSwitchOff onClose={() => setDeleting(false)} onDeleted={onDeleted} />
      )}
    </header>
  );
}
