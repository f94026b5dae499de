import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import Bot from "lucide-react/icons/bot";
import Clock from "lucide-react/icons/clock";
import Contrast from "lucide-react/icons/contrast";
import File from "lucide-react/icons/file";
import History from "lucide-react/icons/history";
import KeyRound from "lucide-react/icons/key-round";
import Keyboard from "lucide-react/icons/keyboard";
import Library from "lucide-react/icons/library";
import LogOut from "lucide-react/icons/log-out";
import MessageSquarePlus from "lucide-react/icons/message-square-plus";
import MonitorSmartphone from "lucide-react/icons/monitor-smartphone";
import Pause from "lucide-react/icons/pause";
import Play from "lucide-react/icons/play";
import Plug from "lucide-react/icons/plug";
import Rows3 from "lucide-react/icons/rows-3";
import SquareMousePointer from "lucide-react/icons/square-mouse-pointer";
import Users from "lucide-react/icons/users";
import { type ReactNode, useState } from "react";
import { artifactQueries, readArtifacts } from "../../areas/artifacts/queries.ts";
import { agentQueries } from "../../areas/directory/agent-queries.ts";
import { sourceName, useSources } from "../../areas/knowledge/sources.ts";
import { useServers } from "../../areas/mcp/queries.ts";
import { serverName, typeWords } from "../../areas/mcp/servers.ts";
import { useWheelhouse } from "../../areas/session/wheelhouse.tsx";
import { useApi, useCan } from "../../lib/api.tsx";
import { useOverlays } from "../../lib/page/shortcuts.ts";
import { usePreferences } from "../../lib/preferences/preferences.tsx";
import { shownName } from "../../lib/shownName.ts";
import { Ago } from "../../lib/time/Time.tsx";
import { useStore } from "../../lib/useStore.ts";
import type { PaletteItem } from "./Palette.tsx";

/** What the palette has of MCP servers and knowledge sources: each to open. */
export function usePlaceItems(): readonly PaletteItem[] {
  const navigate = useNavigate();
  const servers = useServers();
  const { sources } = useSources();
  return [
    ...servers.rows.map(({ id, server }) => ({
      id: `server ${id}`,
      group: "MCP servers",
      icon: <Plug />,
      name: serverName(server),
      detail: server.description || typeWords(server.type),
      run: () => void navigate({ to: "/mcp", search: { server: id } }),
    })),
    ...sources.map((source) => ({
      id: `source ${source.id}`,
      group: "Knowledge sources",
      icon: <Library />,
      name: sourceName(source),
      detail: source.status ?? "",
      run: () => void navigate({ to: "/knowledge/$sourceId", params: { sourceId: source.id } }),
    })),
  ];
}

const themes = { light: "Light theme", dark: "Dark theme", system: "System theme" } as const;

/** What the palette can do: what the page behind it does by a key, then what is done anywhere. */
export function useActionItems(): readonly PaletteItem[] {
  return [...usePageActions(), ...useMade(), ...useSettings()];
}

/** Keys that step, select or close are for the hand: nobody opens a palette for them. */
const steps =
  /^(?:Next|Previous|Close|Clear|Select|Open|To the|Choose|Go to the|Search this page)\b|\b(?:before|after)\b/;

/** As the page was when the palette was opened. */
function usePageActions(): readonly PaletteItem[] {
  const { keysOfPage } = useOverlays();
  const [actions] = useState(() =>
    [...keysOfPage].flatMap(({ shortcuts }) => shortcuts.current.filter(({ does }) => !steps.test(does))),
  );
  return actions.flatMap(({ keys, does, run }) =>
    run === undefined
      ? []
      : [
          {
            id: `page does ${keys}`,
            group: "On this page",
            icon: <SquareMousePointer />,
            name: does,
            run: () => run(new KeyboardEvent("keydown", { key: keys })),
          },
        ],
  );
}

function useMade(): readonly PaletteItem[] {
  const navigate = useNavigate();
  const canCreate = useCan("agent_create");
  const hasAdmin = useCan("admin");
  const { who } = useApi();
  const canAudit = useCan("audit");
  const canPrograms = useCan("programs");
  const canAdmin = hasAdmin && who.kind !== "team";
  const run = () => void navigate({ to: "/agents/new" });
  const open = (name: string, icon: ReactNode, tab?: string) => ({
    ...{ id: `do ${name}`, group: "Actions", name, icon },
    run: () => void navigate({ to: "/admin", search: tab === undefined ? {} : { tab } }),
  });
  return [
    ...(canCreate ? [{ id: "do New agent", group: "Actions", icon: <Bot />, name: "New agent", run }] : []),
    ...(canAdmin
      ? [
          open("People and teams", <Users />),
          open("API keys", <KeyRound />, "keys"),
          open("Sessions: where you are signed in", <MonitorSmartphone />, "sessions"),
          ...(canPrograms ? [open("Connected programs", <Plug />, "connected")] : []),
          ...(canAudit ? [open("Audit log: who changed what", <History />, "audit")] : []),
        ]
      : []),
  ];
}

function useSettings(): readonly PaletteItem[] {
  const { theme, density, zone, keys, set } = usePreferences();
  const { session } = useWheelhouse();
  const overlays = useOverlays();
  const { polling } = useApi();
  const { setting } = useStore(polling.situation);
  const isPaused = setting === "paused";
  const action = (name: string, icon: PaletteItem["icon"], run: () => void, detail = "") => ({
    ...{ id: `do ${name}`, group: "Actions", name, icon, run, detail },
  });
  return [
    ...(["light", "dark", "system"] as const)
      .filter((one) => one !== theme)
      .map((one) => action(themes[one], <Contrast />, () => set("theme", one))),
    density === "normal"
      ? action("Compact rows", <Rows3 />, () => set("density", "compact"))
      : action("Normal rows", <Rows3 />, () => set("density", "normal")),
    zone === "local"
      ? action("Times in UTC", <Clock />, () => set("zone", "utc"))
      : action("Local times", <Clock />, () => set("zone", "local")),
    isPaused
      ? action(
          "Resume refreshing",
          <Play />,
          () => polling.setSetting("auto"),
          "pages refresh automatically again",
        )
      : action(
          "Pause refreshing",
          <Pause />,
          () => polling.setSetting("paused"),
          "nothing refreshes automatically",
        ),
    keys === "on"
      ? action("Turn off single-key shortcuts", <Keyboard />, () => set("keys", "off"))
      : action("Turn on single-key shortcuts", <Keyboard />, () => set("keys", "on")),
    action("Keyboard shortcuts", <Keyboard />, overlays.openSheet),
    action("Sign out in all tabs", <LogOut />, () => session.signOut()),
  ];
}

/** What the palette has of agents: each to open and to talk to. */
export function useAgentItems(): readonly PaletteItem[] {
  const api = useApi();
  const navigate = useNavigate();
  const read = useQuery(agentQueries.list(api, { sort_order: "name_asc" }));
  const agents = (read.data?.data.agents ?? []).flatMap((agent) =>
    agent?.id
      ? [{ id: agent.id, name: shownName(agent.name || agent.id), about: agent.description ?? "" }]
      : [],
  );
  return [
    ...agents.map((agent) => ({
      id: `agent ${agent.id}`,
      group: "Agents",
      icon: <Bot />,
      name: agent.name,
      detail: agent.about,
      run: () => void navigate({ to: "/agents/$agentId", params: { agentId: agent.id } }),
    })),
    ...agents.map((agent) => ({
      id: `talk ${agent.id}`,
      group: "New conversation",
      icon: <MessageSquarePlus />,
      name: `Talk to ${agent.name}`,
      run: () => void navigate({ to: "/agents/$agentId/conversations/new", params: { agentId: agent.id } }),
    })),
  ];
}

/** What the palette has of artifacts: the newest, where the service lists those of all agents. */
export function useArtifactItems(): readonly PaletteItem[] {
  const api = useApi();
  const navigate = useNavigate();
  const read = useQuery({
    ...artifactQueries.all(api, { sort_order: "newest" }),
    enabled: useCan("artifacts"),
  });
  return readArtifacts(read.data?.data).map((row) => ({
    id: `artifact ${row.id}`,
    group: "Artifacts",
    icon: <File />,
    name: shownName(row.filename || row.id),
    detail: row.id,
    aside: <Ago at={row.created_at} />,
    run: () =>
      void navigate({
        to: "/artifacts/$artifactId",
        params: { artifactId: row.id },
        search: row.agent_id ? { agent: row.agent_id } : {},
      }),
  }));
}
