import * as z from "zod/mini";
import { endpoint } from "./define.ts";
import { list } from "./limits.ts";
import { maybeText, text } from "./wire.ts";

/**
 * §4.6. `run_id` is a run or an interaction. Needs one of `user_id` and `project_id`. A name that is not the run's
 * is `not_found` naming it.
 */
export const downloadFiles = endpoint({
  name: "downloadFiles",
  tier: "core",
  section: "§4.6",
  summary: "Download files of a run as a zip",
  method: "POST",
  path: "/download_files",
  kind: "read",
  body: z.object({
    file_names: list(text, 1_000).check(z.minLength(1, "must name at least one file")),
    run_id: text,
    user_id: maybeText,
    project_id: maybeText,
    saved_item_id: maybeText,
  }),
  response: "zip",
  errors: ["owner_required", "personal_credential_required", "not_found"],
  errorShape: "flat",
});
