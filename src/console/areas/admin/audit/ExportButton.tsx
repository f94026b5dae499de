import { useMutation } from "@tanstack/react-query";
import Download from "lucide-react/icons/download";
import { useApi } from "../../../lib/api.tsx";
import { failedToast } from "../../../lib/failure/Failure.tsx";
import { saveBlob } from "../../../lib/files.ts";
import { Button } from "../../../ui/Button.tsx";
import { useToast } from "../../../ui/Toast.tsx";
import { adminMutations } from "../mutations.ts";
import { auditFilters } from "../queries.ts";
import type { AdminSearch } from "../search.ts";

/** Saves what the filters show as JSON Lines. */
export function ExportButton({ search }: { search: AdminSearch }) {
  const toaster = useToast();
  const save = useMutation(adminMutations.exportAudit(useApi()));
  const begin = () =>
    save.mutate(
      { query: auditFilters(search) },
      {
        onSuccess: ({ data }) => saveBlob(data, "audit-log.jsonl"),
        onError: (error) => toaster.show(failedToast("The audit log was not exported", error)),
      },
    );
  return (
    <Button icon={<Download />} loading={save.isPending} onClick={begin}>
      Export
    </Button>
  );
}
