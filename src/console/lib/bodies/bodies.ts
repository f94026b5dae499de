import "../../api/jitless.ts";
import { serve } from "../workers/serve.ts";
import { bodyMethods } from "./body-service.ts";

// A module worker: what it takes to parse, check and compare a very long conversation costs this thread (C-09).
serve(bodyMethods());
