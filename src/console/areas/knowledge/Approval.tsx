import ChevronDown from "lucide-react/icons/chevron-down";
import FileStack from "lucide-react/icons/file-stack";
import Play from "lucide-react/icons/play";
import Search from "lucide-react/icons/search";
import Users from "lucide-react/icons/users";
import { useRef, useState } from "react";
import type { Received } from "../../../contract/define.ts";
import type { getSourceEstimate } from "../../../contract/knowledge.ts";
import type { DataOf } from "../../api/client.ts";
import { useCan } from "../../lib/api.tsx";
import { useShortcuts } from "../../lib/page/shortcuts.ts";
import { useFocusKept } from "../../lib/page/useFocusKept.ts";
import { usePreferences } from "../../lib/preferences/preferences.tsx";
import { useMissingRight } from "../../lib/rights/rights.ts";
import { useNow } from "../../lib/time/clock.tsx";
import { formatMoment, type Zone, zoneMark } from "../../lib/time/format.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { Field } from "../../ui/Field.tsx";
import { IconLine } from "../../ui/IconLine.tsx";
import { Input } from "../../ui/Input.tsx";
import { Menu, MenuItem } from "../../ui/Menu.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { DeleteSources } from "./DeleteSources.tsx";
import {
  creditWords,
  differenceWords,
  formatCredits,
  readersWords,
  type SourceIn,
  type useSources,
} from "./sources.ts";
import type { useApprove } from "./useApprove.ts";

type EstimateIn = NonNullable<Received<DataOf<typeof getSourceEstimate>>["estimate"]>;

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
        aria-label="Cost"
        className="w-[236px] shrink-0 border-r px-edge-left py-4 max-sm:w-full max-sm:border-r-0"
      >
        <h3 className="text-muted text-secondary">{isDraft ? "Cost" : "Cost"}</h3>
        {isDraft ? (
          typeof credits === "number" ? (
            <p className="mt-1">
              <span className="text-title tabular-nums">{formatCredits(credits)}</span>{" "}
              {credits === 1 ? "credit" : "credits"}, one-time
            </p>
          ) : (
            <p className="mt-1 text-muted">
              {estimate?.status === "running" ? "Estimating…" : "No estimate."}
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
      <section aria-label="After approval" className="min-w-0 flex-1 px-edge-left py-4">
        <h3 className="text-muted text-secondary">{"After approval"}</h3>
        <ul className="mt-1.5 flex flex-col gap-1.5">
          {isDraft && (
            <IconLine icon={<Play />}>
              Indexing starts immediately and charges the credits. This can’t be undone.
            </IconLine>
          )}
          <IconLine icon={<Search />}>
            Agents and flows find its passages, with file and page, as documents are indexed.
          </IconLine>
          <IconLine icon={<FileStack />}>
            <strong className="font-semibold">Files added later are indexed without another approval</strong>{" "}
            and also cost credits.
          </IconLine>
          <IconLine icon={<Users />}>{readersWords(source, teamName)}</IconLine>
        </ul>
      </section>
    </div>
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
    return "No source has been approved yet, so there is no record of how accurate estimates are.";
  const words = (share: number) => {
    const percent = Math.round(share * 100);
    return percent === 0 ? "equal to" : `${Math.abs(percent)} % ${percent < 0 ? "below" : "above"}`;
  };
  const [low, high] = [words(Math.min(...shares)), words(Math.max(...shares))];
  const who = shares.length === 1 ? "The last source cost" : `The last ${shares.length} sources cost`;
  return low === high ? `${who} ${low} the estimate.` : `${who} ${low} to ${high} the estimate.`;
}

type FootProps = {
  source: SourceIn;
  inbox: ReturnType<typeof useSources>;
  approve: ReturnType<typeof useApprove>;
  estimated: number | null | undefined;
  onDeleted: () => void;
};

/** The acts on a draft; the button carries the price. */
export function ApprovalFoot({ source, inbox, approve, estimated, onDeleted }: FootProps) {
  const [isRefusing, setRefusing] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const { zone } = usePreferences();
  const now = useNow();
  const credits = estimated ?? source.estimated_credits;
  const until = inbox.putOff[source.id];
  // What snoozes is gone once it has.
  const foot = useRef<HTMLElement>(null);
  useFocusKept(`${until}`, foot);
  const problem = approve.results.find((one) => one.id === source.id)?.problem ?? null;
  const isMine = inbox.mine(source);
  const missing = useMissingRight(source.team_id, "edit");
  const canDelete = useCan("knowledge_deletion") && isMine;
  useShortcuts([
    // Nothing is charged by one key alone: this one only goes to the button.
    ...(isMine
      ? [{ keys: "a", does: "Go to Approve, then press Enter", run: () => button.current?.focus() }]
      : []),
    ...(canDelete ? [{ keys: "r", does: "Refuse", run: () => setRefusing(true) }] : []),
  ]);
  return (
    <footer
      ref={foot}
      tabIndex={-1}
      className="focus-inset sticky bottom-0 z-sticky mt-auto border-t bg-surface"
    >
      {problem !== null && (
        <Notice kind="failed" title="Not approved">
          {problem}
        </Notice>
      )}
      <div className="flex flex-wrap items-center gap-2 px-edge-left py-2.5">
        <span className="mr-auto min-w-0 flex-1 basis-40 text-muted text-secondary">
          {until !== undefined && until > now
            ? `Snoozed until ${formatMoment(until, { zone })}, in this browser.`
            : canDelete
              ? "Refusing deletes it; you can undo that for a day. Snoozing only hides it in this browser."
              : "Snoozing only hides it in this browser."}
        </span>
        {until !== undefined ? (
          <Button onClick={() => inbox.putOffUntil(source.id, null)}>Unsnooze</Button>
        ) : (
          <NotNow onUntil={(at) => inbox.putOffUntil(source.id, at)} />
        )}
        {canDelete && (
          <Button variant="danger" className="max-sm:flex-1" onClick={() => setRefusing(true)}>
            Refuse…
          </Button>
        )}
        <Button
          ref={button}
          variant="primary"
          className="max-sm:flex-1"
          loading={approve.open.includes(source.id)}
          disabledReason={isMine ? undefined : (missing ?? "Only its creator or team can approve it")}
          onClick={() => void approve.run([source.id])}
        >
          {typeof credits === "number" && credits > 0 ? `Approve for ${creditWords(credits)}` : "Approve"}
        </Button>
      </div>
      {isRefusing && (
        <DeleteSources sources={[source]} onClose={() => setRefusing(false)} onDeleted={onDeleted} />
      )}
    </footer>
  );
}

/** Puts a source off until a day: here alone, since the interface has no decline. */
function NotNow({ onUntil }: { onUntil: (at: number) => void }) {
  const now = useNow();
  const { zone } = usePreferences();
  const [isChoosing, setChoosing] = useState(false);
  const [day, setDay] = useState("");
  const at = laterDay(day, now, zone);
  const snooze = () => {
    if (at === null) return;
    onUntil(at);
    setChoosing(false);
  };
  return (
    <>
      <Menu
        align="end"
        trigger={
          <Button>
            Snooze <ChevronDown />
          </Button>
        }
      >
        {laterChoices(now, zone).map((choice) => (
          <MenuItem key={choice.words} onSelect={() => onUntil(choice.at)}>
            {choice.words}
          </MenuItem>
        ))}
        <MenuItem onSelect={() => setChoosing(true)}>Until another day…</MenuItem>
      </Menu>
      <Dialog
        isNarrow
        isOpen={isChoosing}
        onClose={() => setChoosing(false)}
        title="Snooze until"
        description="It returns to the top of this list on that day, in this browser."
        footer={
          <Button
            variant="primary"
            disabledReason={at === null ? "Choose a future date" : undefined}
            onClick={snooze}
          >
            Snooze
          </Button>
        }
      >
        <form
          onSubmit={(event) => {
            event.preventDefault();
            snooze();
          }}
        >
          <Field label="Until">
            <Input type="date" value={day} onChange={(event) => setDay(event.target.value)} />
          </Field>
          <button type="submit" hidden />
        </form>
      </Dialog>
    </>
  );
}

/**
 * The usual times to come back to something: tomorrow, next Monday and in a week, at eight in the morning of the zone in
 * which times are shown.
 */
function laterChoices(now: number, zone: Zone) {
  const today = new Date(now);
  const isUtc = zone === "utc";
  const morning = (days: number): number =>
    isUtc
      ? Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate() + days, 8)
      : new Date(today.getFullYear(), today.getMonth(), today.getDate() + days, 8).getTime();
  const toMonday = (8 - (isUtc ? today.getUTCDay() : today.getDay())) % 7 || 7;
  const at = (days: number) => `08:00${zoneMark(morning(days), { zone })}`;
  return [
    { words: `Until tomorrow, ${at(1)}`, at: morning(1) },
    ...(toMonday === 1 ? [] : [{ words: `Until Monday, ${at(toMonday)}`, at: morning(toMonday) }]),
    { words: "For a week", at: morning(7) },
    { words: "For four weeks", at: morning(28) },
  ];
}

/** A day of a date field (`2026-12-04`) at eight in the morning of `zone`; null for one that has passed or is none. */
function laterDay(day: string, now: number, zone: Zone): number | null {
  const at = new Date(`${day}T08:00:00${zone === "utc" ? "Z" : ""}`).getTime();
  return Number.isNaN(at) || at <= now ? null : at;
}
