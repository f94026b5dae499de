import { serve } from "../../../../lib/workers/serve.ts";
import { compareMethods } from "./compare-service.ts";

// A module worker: lining up two long logs takes seconds, and costs this thread, not the page.
serve(compareMethods());
