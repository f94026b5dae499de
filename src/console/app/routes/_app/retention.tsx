import { createFileRoute } from "@tanstack/react-router";
import { RetentionPage } from "../../../areas/retention/RetentionPage.tsx";
import { startReads } from "../../loader.ts";

export const Route = createFileRoute("/_app/retention")({
  loader: startReads("retention"),
  component: RetentionPage,
});
