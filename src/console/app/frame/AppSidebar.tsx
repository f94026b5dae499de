import { Link, useLocation } from "@tanstack/react-router";
import Settings from "lucide-react/icons/settings";
import { useEffect, useState, useSyncExternalStore } from "react";
import { signedInWords } from "../../areas/session/signed-in.ts";
import { useSessionState, useSignedIn, useWheelhouse } from "../../areas/session/wheelhouse.tsx";
import { useApi } from "../../lib/api.tsx";
import { prepareForFailure } from "../../lib/failure/later.tsx";
import { LazyPart } from "../../lib/LazyPart.tsx";
import { isMac, useOverlays } from "../../lib/page/shortcuts.ts";
import { useStore } from "../../lib/useStore.ts";
import { useWatched, useWatchedConversations } from "../../lib/watch/watched.ts";
import { Brand } from "../../ui/Brand.tsx";
import { IconButton } from "../../ui/Button.tsx";
import { later } from "../../ui/later.ts";
import { Sidebar, SidebarFoot, SidebarItem, SidebarSearch } from "../../ui/Sidebar.tsx";
import { nav } from "./nav.tsx";
import type { Waiting } from "./WaitingCounts.tsx";

const loadMenu = () => import("./SettingsMenu.tsx");
const SettingsMenu = later(loadMenu);
const Watched = later(() => import("./Watched.tsx"));
const WaitingCounts = later(() => import("./WaitingCounts.tsx"));

/** Pages, what is being watched, and the connection. */
export function AppSidebar() {
  const path = useLocation({ select: (location) => location.pathname });
  const overlays = useOverlays();
  const watched = useWatched();
  const conversations = useWatchedConversations();
  const { drafts } = useApi();
  // As they were counted last, by any tab: they come with the page, and are counted anew once it stands.
  const waiting = useSyncExternalStore(drafts.subscribe, () => drafts.get(waitingPlace)) as
    | Waiting
    | undefined;
  const isSettled = useSettledPage();
  return (
    <Sidebar
      brand={
        <Link to="/" className="rounded-control">
          <Brand />
        </Link>
      }
      search={<SidebarSearch isMac={isMac()} onClick={overlays.openPalette} />}
      {...(watched.length + conversations.length > 0 && {
        watching: (
          <LazyPart>
            <Watched runs={watched} conversations={conversations} />
          </LazyPart>
        ),
      })}
      foot={<Foot />}
    >
      {nav.map((entry) => (
        <SidebarItem
          key={entry.to}
          icon={entry.icon}
          isActive={path === entry.to || path.startsWith(`${entry.to}/`)}
          shortcut={entry.keys}
          waiting={Number(waiting?.[entry.to]) || 0}
        >
          <Link to={entry.to}>{entry.label}</Link>
        </SidebarItem>
      ))}
      {isSettled && (
        <LazyPart>
          <WaitingCounts place={waitingPlace} />
        </LazyPart>
      )}
    </Sidebar>
  );
}

const waitingPlace = "sidebar counts";
/** The page that was opened comes first: what waits elsewhere is counted a moment later. */
const settleMs = 2_000;

function useSettledPage(): boolean {
  const [isSettled, setSettled] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => {
      setSettled(true);
      prepareForFailure();
    }, settleMs);
    return () => clearTimeout(timer);
  }, []);
  return isSettled;
}

function Foot() {
  const as = useSignedIn();
  const api = useApi();
  const { who, forWhom } = signedInWords(as, useWheelhouse().connections.length > 1);
  const { status } = useSessionState();
  const hold = useStore(api.traffic.hold);
  const [health, word] =
    status === "expired"
      ? (["gone", "key no longer accepted"] as const)
      : hold === null
        ? (["good", "connected"] as const)
        : hold.reason === "failing"
          ? (["gone", "many requests are failing"] as const)
          : (["slow", "rate limited by the service"] as const);
  return (
    <SidebarFoot
      name={who}
      detail={forWhom}
      health={health}
      healthWord={`${as.connection.name}: ${word}`}
      settings={<SettingsButton />}
    />
  );
}

function SettingsButton() {
  const [isAsked, setAsked] = useState(false);
  const button = (
    <IconButton label="Settings" onPointerEnter={() => void loadMenu()} onClick={() => setAsked(true)}>
      <Settings />
    </IconButton>
  );
  if (!isAsked) return button;
  return (
    <LazyPart fallback={button}>
      <SettingsMenu />
    </LazyPart>
  );
}
