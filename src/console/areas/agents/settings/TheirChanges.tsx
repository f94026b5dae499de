import { useNavigate } from "@tanstack/react-router";
import { Dialog } from "../../../ui/Dialog.tsx";
import { diffAgents } from "../agent/agent-diff.ts";
import { FieldDiffs } from "../versions/FieldDiffs.tsx";
import type { AgentForm } from "./form.ts";
import { versionWords } from "./Section.tsx";

/** What another person changed since the draft began, field by field, over the page. */
export function TheirChanges({ form, isOpen }: { form: AgentForm; isOpen: boolean }) {
  const navigate = useNavigate({ from: "/agents/$agentId/settings" });
  const { newer, base, baseVersion } = form;
  if (!newer) return null;
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={() => void navigate({ search: ({ see: _, ...old }) => old, replace: true })}
      title={`What ${versionWords(newer.version)} changed`}
      description={`Against ${baseVersion === null ? "what you began with" : `version ${baseVersion}, which you began with`}. Your draft is not touched.`}
    >
      {isOpen && (
        <div className="-mx-4 border-t sm:-mx-5">
          <FieldDiffs diff={diffAgents(base, newer.draft)} />
        </div>
      )}
    </Dialog>
  );
}
