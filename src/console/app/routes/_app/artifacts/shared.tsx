import { createFileRoute } from "@tanstack/react-router";
import { SharedPage } from "../../../../areas/artifacts/shared/SharedPage.tsx";
import { startReads } from "../../../loader.ts";

export const Route = createFileRoute("/_app/artifacts/shared")({
  validateSearch: (raw: Record<string, unknown>): { q?: string | undefined } => {
    const { q } = raw;
    const isText = typeof q === "string" || typeof q === "number";
    return { q: isText && q !== "" ? String(q) : undefined };
  },
  loader: startReads("sharedArtifacts"),
  component: Page,
});

function Page() {
  const { q } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <SharedPage
      q={q ?? ""}
      onSearch={(next) =>
        void navigate({ search: (old) => ({ ...old, q: next === "" ? undefined : next }), replace: true })
      }
    />
  );
}
