import type { Migration } from "./index.ts";

/**
 * The labels of artifacts within each of those who may see them. Of a word that is in one of fifty names the index found the
 * rows of everybody, of which most were read in vain. It finds by labels alone as the one before did, which goes.
 */
export const labelsWithin: Migration = {
  name: "0078_labels_within",
  sql: `
create index artifact_audience_labels_within on artifact_audience
  using gin ((array[audience]), artifact_labels(name, media_type, user_id));
drop index artifact_audience_labels;
`,
};
