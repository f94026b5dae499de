import { useState } from "react";
import type { Agent } from "../../../../contract/agents.ts";
import type { Received } from "../../../../contract/define.ts";
import { JsonTree } from "../../../lib/json/JsonTree.tsx";
import { Button } from "../../../ui/Button.tsx";
import { Dialog } from "../../../ui/Dialog.tsx";
import { Section } from "./Section.tsx";
import { WholeActions } from "./SettingsText.tsx";

/** The whole answer, for what no field shows. */
export function AsItCame({ agent }: { agent: Received<Agent> }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Section id="raw" title="As it came" isNarrow aside={<WholeActions agent={agent} />}>
      <Button size="small" onClick={() => setOpen(true)}>
        All that the service answered
      </Button>
      <Dialog
        isOpen={isOpen}
        onOpenChange={setOpen}
        title="As it came"
        description="The agent as the service has it, without what is edited here"
        footer={<WholeActions agent={agent} />}
      >
        <JsonTree value={agent} label="The whole configuration" />
      </Dialog>
    </Section>
  );
}
