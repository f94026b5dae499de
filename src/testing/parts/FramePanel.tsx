import Ellipsis from "lucide-react/icons/ellipsis";
import Maximize2 from "lucide-react/icons/maximize-2";
import X from "lucide-react/icons/x";
import { Button, IconButton } from "../../console/ui/Button.tsx";
import { DefinitionList } from "../../console/ui/DefinitionList.tsx";
import { Id } from "../../console/ui/Id.tsx";
import { Notice } from "../../console/ui/Notice.tsx";
import { PanelSection } from "../../console/ui/Panel.tsx";
import { StatePill } from "../../console/ui/Tag.tsx";

/** The panel beside the list, with a sample run. */
export function SamplePanel({ onClose }: { onClose: () => void }) {
  return (
    <>
      <PanelSection>
        <div className="flex items-center gap-2">
          <StatePill tone="failed" word="Failed" />
          <span className="flex-1 text-muted text-secondary">after 1 m 02 s</span>
          <IconButton size="small" label="Open">
            <Maximize2 />
          </IconButton>
          <IconButton size="small" label="Close" shortcut="esc" onClick={onClose}>
            <X />
          </IconButton>
        </div>
        <h2 className="mt-2 text-heading">Carrier rate refresh, EU lanes</h2>
        <div className="mb-2 flex items-center gap-1.5 text-muted text-secondary">
          <Id id="jVnA6tEcGfDNr9XNFDFgqg" cut={[10, 6]} what="run id" />{" "}
          <span className="truncate">· 09:37:08 today, schedule</span>
        </div>
        <div className="flex gap-2">
          <Button size="small">Run again</Button>
          <Button size="small">Compare with last good</Button>
          <span className="ml-auto">
            <IconButton size="small" variant="plain" label="More">
              <Ellipsis />
            </IconButton>
          </span>
        </div>
      </PanelSection>
      <Notice kind="failed" title="Fetch tariff (HTTP) gave up after 3 tries">
        <code className="block text-mono-json">
          502 Bad Gateway from api.dsv.example/v3/tariffs?lane=NL-PL&from=2026-12-01
        </code>
      </Notice>
      <PanelSection title="Inputs">
        <DefinitionList
          isMono
          rows={[
            { key: "carrier", name: "carrier", value: "DSV Road" },
            { key: "valid_from", name: "valid_from", value: "2026-12-01" },
            { key: "lanes", name: "lanes", value: "NL-PL, NL-DE, BE-FR, DE-CZ, DE-AT, NL-ES" },
          ]}
        />
      </PanelSection>
    </>
  );
}
