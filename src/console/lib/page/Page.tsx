import { type QueryKey, useIsFetching, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import type { PollDescription } from "../../api/poll.ts";
import { describeQuery } from "../../api/read.ts";
import { LiveChip, type Liveness } from "../../ui/LiveChip.tsx";
import { later } from "../../ui/later.ts";
import { Breadcrumbs, PageFrame, TopBar } from "../../ui/PageFrame.tsx";
import { useApi } from "../api.tsx";
import { LazyPart } from "../LazyPart.tsx";
import { shownName } from "../shownName.ts";
import { useNow } from "../time/clock.tsx";
import { formatAge } from "../time/format.ts";
import { useStore } from "../useStore.ts";

type Props = {
  /** What the tab says: the object and its state. "Wheelhouse" follows by itself. */
  title: string;
  /** The pages above this one, as links. */
  parents?: readonly { key: string; link: ReactNode }[];
  /** The last crumb, the page's h1. */
  heading: ReactNode;
  /** The key of the page's main query: how fresh the page is, and how often it is read. */
  live?: QueryKey | false | undefined;
  /** What it is live for, instead of "Live". */
  liveWord?: string | undefined;
  actions?: ReactNode;
  panel?: ReactNode;
  panelLabel?: string;
  panelKind?: "list" | "detail" | "catalogue";
  foot?: ReactNode;
  children: ReactNode;
};

/** A page inside the frame: its title in the tab, breadcrumbs, live chip and actions in the bar, content and panel. */
export function Page({ title, parents = [], heading, live, liveWord, actions, children, ...frame }: Props) {
  useTitle(title);
  return (
    <PageFrame
      {...frame}
      topBar={
        <TopBar
          crumbs={<Breadcrumbs parents={parents} current={heading} />}
          live={live && <LiveStatus queryKey={live} word={liveWord} />}
          actions={actions}
        />
      }
    >
      {children}
    </PageFrame>
  );
}

/** Letters from the right, and some others, as telling them apart would cost the first page more than `isolated` may. */
const turning = /[\u0590-\u08ff\ud802-\ufefc]/;

/**
 * Names the page in the tab, in the history and to those who listen; what is in a name is shown. Parts are divided by " · ": one
 * with letters from the right keeps their direction to itself.
 */
export function useTitle(title: string): void {
  useEffect(() => {
    const parts = shownName(`${title} · Wheelhouse`).split(" · ");
    document.title = parts.map((part) => (turning.test(part) ? `\u2068${part}\u2069` : part)).join(" · ");
  }, [title]);
}

const RefreshSetting = later(() => import("./RefreshSetting.tsx"));

/** How fresh what this page shows is, and the setting of how often it is read. */
function LiveStatus({ queryKey, word }: { queryKey: QueryKey; word?: string | undefined }) {
  const api = useApi();
  const queries = useQueryClient();
  const [isAsked, setAsked] = useState(false);
  useNow();
  useIsFetching({ queryKey });
  useStore(api.polling.situation);
  const query = queries.getQueryCache().find({ queryKey });
  if (!query) return null;
  const described = describeQuery(api, query);
  const chip = (
    <LiveChip
      liveness={livenessOf(described)}
      word={described.word === "Live" ? (word ?? described.word) : described.word}
      detail={detailOf(described, api.clock.now())}
      aria-haspopup="dialog"
      onClick={() => setAsked(true)}
    />
  );
  if (!isAsked) return chip;
  // Stays when it closes: the focus goes back to its own chip.
  return (
    <LazyPart fallback={chip}>
      <RefreshSetting chip={chip} queryKey={queryKey} />
    </LazyPart>
  );
}

function livenessOf({ word, mark }: PollDescription): Liveness {
  if (word === "Offline") return "offline";
  if (word === "Up to date" || mark === "round") return "live";
  return mark === "square" ? "slowed" : "resting";
}

/** "checked 2 s ago · every 1 s", or why it rests and when it goes on. Times in ms by this browser's clock. */
function detailOf(described: PollDescription, now: number): string {
  const { word, checkedAt, everyMs, nextAt, because } = described;
  const parts: string[] = [];
  if (because !== null) parts.push(because);
  if (nextAt !== null && nextAt > now) parts.push(`next in ${Math.ceil((nextAt - now) / 1000)} s`);
  else if (checkedAt !== null)
    parts.push(`${word === "Offline" ? "updated" : "checked"} ${formatAge(now - checkedAt)} ago`);
  if (word === "Live" && everyMs !== null) parts.push(`every ${rateOf(everyMs)}`);
  return parts.join(" · ");
}

/** Intervals carry jitter; a person reads the round one. */
function rateOf(ms: number): string {
  if (ms < 950) return `${(Math.round(ms / 500) * 500) / 1000 || 0.5} s`;
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.round(seconds / 60)} m`;
}
