import { createFileRoute } from "@tanstack/react-router";
import { OverviewPage } from "../../../areas/overview/OverviewPage.tsx";
import { startReads } from "../../loader.ts";

/** The first page of whoever is signed in. */
export const Route = createFileRoute("/_app/")({
  loader: startReads("overview"),
  component: OverviewPage,
});
