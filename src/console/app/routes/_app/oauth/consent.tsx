import { createFileRoute } from "@tanstack/react-router";
import { ConsentPage } from "../../../../areas/admin/programs/ConsentPage.tsx";

export const Route = createFileRoute("/_app/oauth/consent")({
  validateSearch: (raw: Record<string, unknown>): { request?: string | undefined } => ({
    request: typeof raw.request === "string" ? raw.request : undefined,
  }),
  component: () => <ConsentPage request={Route.useSearch().request ?? "none"} />,
});
