/** For tests of the console too, which know nothing else of the service. */
export { deferred } from "../service/deferred.ts";
