import { useState } from "react";
import { errorText } from "../../../api/describe-error.ts";
import { ResultRow, ResultsBar } from "../../../lib/bulk/Results.tsx";
import { counted } from "../../../lib/words.ts";
import { Button } from "../../../ui/Button.tsx";
import { RadioRows } from "../../../ui/Choices.tsx";
import { Dialog } from "../../../ui/Dialog.tsx";
import type { Tone } from "../../../ui/State.tsx";
import { type Change, planOf, sayChange, summary, type TeamName, useTeams } from "../../sharing/index.ts";

import { type Extent, type Progress, type RevokeItem, revokeEdits, useRevoke } from "./useRevoke.ts";

type Props = { items: readonly RevokeItem[]; onClose: () => void };

/** Says what will be taken away from whom, takes it away, each with its own result, and puts it back. */
export function RevokeDialog({ items, onClose }: Props) {
  const { progress, isBusy, readAgain, revoke, undo } = useRevoke(items);
  const { nameOf } = useTeams();
  const [extent, setExtent] = useState<Extent>("everything");
  const states = [...progress.values()];
  const at = (step: Progress["step"]) => states.filter((one) => one.step === step).length;
  const isActed =
    states.some(({ step }) => step === "sending" || step === "done" || step === "undone") ||
    states.some((one) => one.step === "failed" && one.during !== "reading");
  const planned = states.reduce(
    (sum, one) =>
      sum + (one.step === "ready" ? planOf(one.access, revokeEdits(one.access, extent)).changes.length : 0),
    0,
  );
  const still = states.filter((one) => one.step === "done" && one.after.homeTeamId != null).length;
  const toRetry = states.filter((one) => one.step === "failed" && one.during === "revoking").length;
  const canUndo =
    states.some((one) => one.step === "done" && one.done.length > 0) ||
    states.some((one) => one.step === "failed" && one.during === "undoing");
  const [only] = items;
  const name =
    items.length === 1 && only ? <bdi>{only.name}</bdi> : counted(items.length, "artifact", "artifacts");
  return (
    <Dialog
      canClose={!isBusy || !isActed}
      onClose={onClose}
      title={<span className="block truncate">Stop sharing {name}</span>}
      description={
        isActed
          ? "Changes take effect immediately: removed links no longer work."
          : "People lose access immediately. The owner keeps access."
      }
      footerNote={
        isActed && (
          <>
            <ResultsBar done={at("done") + at("undone")} failed={at("failed")} total={items.length} />
            <span role="status" className="mt-1 block">
              {resultWords(
                extent,
                { done: at("done"), undone: at("undone"), failed: at("failed"), still },
                items.length,
              )}
            </span>
          </>
        )
      }
      footer={
        isActed ? (
          <>
            {canUndo && (
              <Button variant="quiet" loading={isBusy} onClick={undo}>
                Undo
              </Button>
            )}
            {toRetry > 0 && (
              <Button loading={isBusy} onClick={() => revoke(extent)}>
                Try {toRetry} again
              </Button>
            )}
            <Button
              variant="primary"
              onClick={onClose}
              disabledReason={isBusy ? "In progress" : undefined}
              reasonAs="title"
            >
              Done
            </Button>
          </>
        ) : (
          <>
            {at("failed") > 0 && (
              <Button onClick={readAgain} loading={isBusy}>
                Reload
              </Button>
            )}
            <Button variant="quiet" onClick={onClose}>
              Keep sharing
            </Button>
            <Button
              variant="danger"
              loading={isBusy}
              onClick={() => revoke(extent)}
              disabledReason={planned === 0 ? "There is nothing to remove" : undefined}
              reasonAs="title"
            >
              {planned === 0 ? "Stop sharing" : `Remove ${planned}`}
            </Button>
          </>
        )
      }
    >
      {!isActed && (
        <RadioRows
          legend="What to remove"
          value={extent}
          onChange={setExtent}
          rows={[
            { value: "everything", name: "Everything", about: "links, people, teams and the organisation" },
            { value: "links", name: "Only the links", about: "people and teams keep their access" },
          ]}
        />
      )}
      <ul aria-label="Artifacts" className="mt-3 divide-y divide-line">
        {items.map(({ id, name: itemName }) => {
          const one = progress.get(id) ?? { step: "reading" as const };
          return (
            <ResultRow key={id} tone={tones[one.step]} name={itemName}>
              {wordsOf(one, extent, nameOf)}
            </ResultRow>
          );
        })}
      </ul>
    </Dialog>
  );
}

const tones: Readonly<Record<Progress["step"], Tone>> = {
  reading: "waiting",
  ready: "waiting",
  sending: "running",
  done: "done",
  undone: "stopped",
  failed: "failed",
};

/** Beyond so many changes they are counted. */
const named = 6;

function wordsOf(one: Progress, extent: Extent, teamName: TeamName): string {
  const say = (change: Change) => sayChange(change, teamName);
  switch (one.step) {
    case "reading":
      return "Loading who has access";
    case "ready": {
      const { changes } = planOf(one.access, revokeEdits(one.access, extent));
      if (changes.length === 0) return "Nothing to remove";
      return changes.length > named ? summary(changes).join(", ") : changes.map(say).join("; ");
    }
    case "sending":
      return "In progress";
    case "done": {
      const { homeTeamId } = one.after;
      const taken =
        one.done.length === 0
          ? nothingTaken[extent]
          : one.done.length > named
            ? summary(one.done).join(", ")
            : one.done.map(say).join("; ");
      // No grant, and so nothing that could be taken away.
      return homeTeamId == null || extent === "links"
        ? taken
        : `${taken}. Everyone in ${teamName(homeTeamId)} can still view it, because it was created for that team`;
    }
    case "undone":
      return ["Restored.", ...one.cannot].join(" ");
    case "failed":
      return `${failures[one.during]} ${errorText(one.error)}`;
  }
}

const nothingTaken: Readonly<Record<Extent, string>> = {
  everything: "It was no longer shared",
  links: "It no longer had a link",
};

const failures = {
  reading: "Could not load who has access.",
  revoking: "Still shared.",
  undoing: "Could not be restored.",
};

interface Counts {
  readonly done: number;
  readonly undone: number;
  readonly failed: number;
  /** Of those that are done, how many a team still views because they were made for it. */
  readonly still: number;
}

function resultWords(extent: Extent, { done, undone, failed, still }: Counts, all: number): string {
  const words = extent === "links" ? "without a link" : still > 0 ? "revoked" : "no longer shared";
  const parts = [
    done > 0 && `${done} of ${all} ${words}`,
    extent === "everything" &&
      still > 0 &&
      `${still} still open to the team ${still === 1 ? "it was" : "they were"} created for`,
    undone > 0 && `${undone} restored`,
    failed > 0 && `${failed} failed`,
  ].filter(Boolean);
  return parts.length === 0 ? "In progress" : parts.join(", ");
}
