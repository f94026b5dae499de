import { serve } from "../../workers/serve.ts";
import { parseMarkdown } from "./markdown-parse.ts";

// A module worker: a text that takes for ever costs this thread, which markdown-client.ts ends, and not the page (C-09).
serve({ parse: parseMarkdown });
