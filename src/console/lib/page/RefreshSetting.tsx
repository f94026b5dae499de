import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { PollSetting } from "../../api/poll.ts";
import { Button } from "../../ui/Button.tsx";
import { Popover } from "../../ui/Menu.tsx";
import { Segmented } from "../../ui/Segmented.tsx";
import { useApi } from "../api.tsx";
import { useStore } from "../useStore.ts";

const words: Record<PollSetting, string> = {
  auto: "Fast while something is running, slower when nothing changes. Paused in hidden tabs.",
  slower: "One fifth as often, for busy services or metered networks.",
  paused: "No automatic refresh. Your own changes still show immediately.",
};

/** How often pages are read again; opened from the live chip, holds for all pages of this browser. */
export default function RefreshSetting(props: { chip: ReactNode; queryKey: QueryKey }) {
  const { polling } = useApi();
  const queries = useQueryClient();
  const { setting } = useStore(polling.situation);
  return (
    <Popover label="Refresh settings" trigger={props.chip} align="end" defaultOpen className="w-80">
      <Segmented
        label="Refresh rate"
        isWide
        options={[
          { value: "auto", label: "Automatic" },
          { value: "slower", label: "Slower" },
          { value: "paused", label: "Paused" },
        ]}
        value={setting}
        onChange={polling.setSetting}
      />
      <p className="py-2.5 text-muted text-secondary">{words[setting]}</p>
      <Button size="small" onClick={() => void queries.invalidateQueries({ queryKey: props.queryKey })}>
        Refresh
      </Button>
    </Popover>
  );
}
