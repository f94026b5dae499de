import { Button } from "../../console/ui/Button.tsx";
import { EmptyState } from "../../console/ui/EmptyState.tsx";
import { ErrorState } from "../../console/ui/ErrorState.tsx";
import { Id } from "../../console/ui/Id.tsx";
import { Notice } from "../../console/ui/Notice.tsx";
import { Panel } from "../../console/ui/Panel.tsx";
import { SkeletonRows } from "../../console/ui/SkeletonRows.tsx";
import { Part } from "./Part.tsx";

export function EmptyPart() {
  return (
    <Part name="Empty" remark="what would be here, why not, the one next step">
      <Panel title="Runs">
        <EmptyState
          title="No runs yet"
          actions={
            <>
              <Button variant="primary">Start a run</Button>
              <Button>Add by id</Button>
              <Button variant="quiet">Import</Button>
            </>
          }
          curl={
            'curl -X POST "$BASE/start_pipeline?saved_item_id=vpB3xQ7" -H "Authorization: Bearer $WHEELHOUSE_KEY"'
          }
        >
          Runs that you start, open or import appear here. This service does not list runs that were started
          elsewhere; paste a run id to add one.
        </EmptyState>
      </Panel>
    </Part>
  );
}

export function LoadingPart() {
  return (
    <Part name="Loading" remark="the shape of what comes, after 300 ms">
      <Panel title="Runs" aside="first read, 0.6 s">
        <SkeletonRows label="Loading runs" columns={["14px", "50px", "1fr", "80px", "42px"]} />
      </Panel>
    </Part>
  );
}

export function FailingPart() {
  return (
    <Part name="Failing in place" remark="the last data stay, dated">
      <Panel>
        <ErrorState
          title="The log could not be loaded"
          onRetry={() => {}}
          nextTry="next try in 6 s"
          requestId="req_8fKxT5Wn2q7L2mQd"
        >
          The service answered 502 twice. What you see is from 09:41:07; the run itself may go on.
        </ErrorState>
      </Panel>
      <Notice kind="offline" look="box" className="mt-3">
        <strong className="font-semibold">Offline.</strong>{" "}
        <span className="text-muted">As read at 09:40, 2 sends wait</span>
      </Notice>
    </Part>
  );
}

export function NotAllowedPart() {
  return (
    <Part name="Not allowed">
      <Panel>
        <EmptyState
          title="You may not change who has access"
          actions={
            <>
              <Button>Copy a message to Mara</Button>
              <Button variant="quiet">Back to the file</Button>
            </>
          }
          foot={
            <>
              403, request <Id id="req_2bVnW8sK4fT1p9xLa" cut={[8, 4]} what="request id" />
            </>
          }
        >
          Only editors and the owner of eu-lane-rates-2026-11-20.csv can. You are a viewer. Ask Mara
          Lindqvist, who owns it.
        </EmptyState>
      </Panel>
    </Part>
  );
}

export function NotFoundPart() {
  return (
    <Part name="Not found" remark="the same answer for absent and hidden">
      <Panel>
        <EmptyState
          title="Run not found, or you have no access"
          actions={
            <>
              <Button>Try with your personal key</Button>
              <Button variant="quiet">All runs</Button>
            </>
          }
          foot={<Id id="jVnA6tEcGfDNr9XNFDFgqg" what="run id" />}
        >
          It does not exist, or your key may not see it. Asked as{" "}
          <strong className="font-semibold text-default">Revenue Ops, team key</strong>.
        </EmptyState>
      </Panel>
    </Part>
  );
}

export function NoticeParts() {
  return (
    <Part name="Bands" remark="amber only for what waits for this person">
      <div className="overflow-hidden rounded-panel border">
        <Notice
          kind="waits"
          title="Aiko Tan saved version 15 while you were editing"
          action={<Button size="small">See the changes</Button>}
        >
          Nothing of theirs was overwritten and nothing of yours is lost.
        </Notice>
        <Notice kind="failed" title="Fetch tariff (HTTP) gave up after 3 tries">
          <code className="block text-mono-json">
            502 Bad Gateway from api.dsv.example/v3/tariffs?lane=NL-PL
          </code>
        </Notice>
      </div>
    </Part>
  );
}
