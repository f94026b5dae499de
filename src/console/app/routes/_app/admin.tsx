import { createFileRoute } from "@tanstack/react-router";
import { AdminPage } from "../../../areas/admin/AdminPage.tsx";
import { readAdminSearch } from "../../../areas/admin/search.ts";
import { startReads } from "../../loader.ts";

export const Route = createFileRoute("/_app/admin")({
  validateSearch: readAdminSearch,
  loader: startReads("admin"),
  component: () => <AdminPage search={Route.useSearch()} />,
});
