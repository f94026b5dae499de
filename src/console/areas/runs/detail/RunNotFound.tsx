import { Link } from "@tanstack/react-router";
import { buttonClass } from "../../../ui/buttonClass.ts";
import { NotFoundForYou } from "../../session/index.ts";

/** A run that does not exist or that this key may not see. */
export function RunNotFound({ runId, error }: { runId: string; error: unknown }) {
  return (
    <NotFoundForYou
      what="run"
      id={runId}
      error={error}
      actions={
        <Link to="/runs" className={buttonClass("plain")}>
          All runs
        </Link>
      }
    />
  );
}
