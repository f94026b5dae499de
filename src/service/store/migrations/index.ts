import { engine } from "./0001_engine.ts";
import { identity } from "./0002_identity.ts";
import { conversations } from "./0003_conversations.ts";
import { files } from "./0004_files.ts";
import { catalogues } from "./0005_catalogues.ts";
import { workspace } from "./0006_workspace.ts";
import { sharing } from "./0007_sharing.ts";
import { agentHistory } from "./0008_agent_history.ts";
import { mcpConnections } from "./0009_mcp_connections.ts";
import { evaluations } from "./0010_evaluations.ts";
import { knowledge } from "./0011_knowledge.ts";
import { generation } from "./0012_generation.ts";
import { addresses } from "./0013_addresses.ts";
import { installation } from "./0014_installation.ts";
import { places } from "./0015_places.ts";
import { keyOrder } from "./0016_key_order.ts";
import { deletedConversations } from "./0017_deleted_conversations.ts";
import { deletion } from "./0018_deletion.ts";
import { rubricResults } from "./0019_rubric_results.ts";
import { lists } from "./0020_lists.ts";
import { flowVersions } from "./0021_flow_versions.ts";
import { search } from "./0022_search.ts";
import { searchBlocks } from "./0023_search_blocks.ts";
import { startTogether } from "./0024_start_together.ts";
import { retention } from "./0025_retention.ts";
import { flowLists } from "./0026_flow_lists.ts";
import { turnCost } from "./0027_turn_cost.ts";
import { logRows } from "./0028_log_rows.ts";
import { treeIndex } from "./0029_tree_index.ts";
import { removals } from "./0030_removals.ts";
import { artifactPlans } from "./0032_artifact_plans.ts";
import { fairClaims } from "./0033_fair_claims.ts";
import { fileTokens } from "./0034_file_tokens.ts";
import { tombstones } from "./0037_tombstones.ts";
import { approvals } from "./0038_approvals.ts";
import { runsAgain } from "./0040_runs_again.ts";
import { flowQuestions } from "./0041_flow_questions.ts";
import { people } from "./0043_people.ts";
import { pause } from "./0047_pause.ts";
import { databaseTime } from "./0049_database_time.ts";
import { audit } from "./0051_audit.ts";
import { identityProvider } from "./0053_identity_provider.ts";
import { programs } from "./0054_programs.ts";
import { guesses } from "./0058_guesses.ts";
import { serverQuestions } from "./0060_server_questions.ts";
import { conversationCopies } from "./0063_conversation_copies.ts";
import { approvalPeople } from "./0064_approval_people.ts";
import { treeWaits } from "./0065_tree_waits.ts";
import { inbox } from "./0070_inbox.ts";
import { mcpRevision } from "./0071_mcp_revision.ts";
import { traces } from "./0073_traces.ts";
import { flowServerQuestions } from "./0075_flow_server_questions.ts";
import { mcpScopes } from "./0076_mcp_scopes.ts";
import { handovers } from "./0077_handovers.ts";
import { labelsWithin } from "./0078_labels_within.ts";
import { auditOrder } from "./0079_audit_order.ts";
import { readyByIndex } from "./0080_ready_by_index.ts";
import { heldInOrder } from "./0081_held_in_order.ts";
import { waited } from "./0082_waited.ts";
import { claimPlans } from "./0083_claim_plans.ts";
import { turnedFrom } from "./0084_turned_from.ts";
import { startInputs } from "./0085_start_inputs.ts";
import { movedAddresses } from "./0088_moved_addresses.ts";

/** One change of the schema. */
export interface Migration {
  /** `NNNN_what`, unique for ever: a database remembers the names that it has. */
  readonly name: string;
  /** Statements, run in one transaction with those of all that are pending. */
  readonly sql: string;
  /** Whether the release before this one can no longer work with the database once this has been applied. */
  readonly breaksRelease?: true;
  /** What is left to be done in steps beside the service, as a sentence. */
  readonly beside?: string;
}

/**
 * The schema's number in the newest release, as the changelog says it. Its processes may go on working, and be started again,
 * on a database that what follows has brought up to date: what comes after this number adds, and removes nothing that they
 * use. Where that cannot be, the migration says `breaksRelease`.
 */
export const schemaBefore = 65;

/** All of them, in order. Append; never change one that has been released. */
export const migrations: readonly Migration[] = [
  engine,
  identity,
  conversations,
  files,
  catalogues,
  workspace,
  sharing,
  agentHistory,
  mcpConnections,
  evaluations,
  knowledge,
  generation,
  addresses,
  installation,
  places,
  keyOrder,
  deletedConversations,
  deletion,
  rubricResults,
  lists,
  flowVersions,
  search,
  searchBlocks,
  startTogether,
  retention,
  flowLists,
  turnCost,
  logRows,
  treeIndex,
  removals,
  artifactPlans,
  fileTokens,
  tombstones,
  fairClaims,
  approvals,
  databaseTime,
  pause,
  people,
  flowQuestions,
  runsAgain,
  audit,
  identityProvider,
  serverQuestions,
  programs,
  conversationCopies,
  approvalPeople,
  treeWaits,
  guesses,
  inbox,
  traces,
  mcpRevision,
  flowServerQuestions,
  mcpScopes,
  handovers,
  labelsWithin,
  auditOrder,
  readyByIndex,
  heldInOrder,
  waited,
  claimPlans,
  turnedFrom,
  startInputs,
  movedAddresses,
];
