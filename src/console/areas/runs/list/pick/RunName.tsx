import type { ReactNode } from "react";
import type { NamedRun } from "../../many-runs.ts";

/** What a run is called, and what tells it from the others of its flow. `children` stands for the name. */
export function RunName({ run, children = run.name }: { run: NamedRun; children?: ReactNode }) {
  return (
    <>
      <bdi className="font-medium">{children}</bdi>{" "}
      {run.about === null ? (
        <code className="ml-1 font-normal text-mono text-muted">{run.runId}</code>
      ) : (
        <bdi className="ml-1 font-normal text-muted">{run.about}</bdi>
      )}
    </>
  );
}
