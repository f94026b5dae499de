/** What other areas may use of this one. */

export { type Access, type Grantee, grantsTo, isOwner, organizationRole, readAccess } from "./access.ts";
export { domainOf, outsideDomains } from "./addresses.ts";
export { sayChange, summary, type TeamName } from "./labels.tsx";
export { undoOf } from "./merge.ts";
export { type Change, type Edits, noEdits, planOf, withRole } from "./plan.ts";
export { artifactAccessMutations, artifactAccessQueries, type SharedArtifact, useTeams } from "./queries.ts";
export { OpenSharing, ShareButton } from "./ShareButton.tsx";
