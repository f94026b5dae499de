import { serve } from "../../../lib/workers/serve.ts";
import { fileMethods } from "./file-service.ts";

// A module worker: a file may be anything, and what it takes to read it costs this thread, not the page (C-09, C-10).
serve(fileMethods(async (bytes) => (await import("./workbook.ts")).readSheets(bytes)));
