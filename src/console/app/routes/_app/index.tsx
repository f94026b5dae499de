import { createFileRoute } from "@tanstack/react-router";
import { OverviewPage } from "../../../areas/overview/OverviewPage.tsx";

/** The first page of whoever is signed in. */
export const Route = createFileRoute("/_app/")({ component: OverviewPage });
