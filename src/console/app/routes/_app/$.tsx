import { createFileRoute } from "@tanstack/react-router";
import { NotFound } from "../../frame/NotFound.tsx";

/** Every other address: said inside the frame, so that the way on is at hand. */
export const Route = createFileRoute("/_app/$")({ component: NotFound });
