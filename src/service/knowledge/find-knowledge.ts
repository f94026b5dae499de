import type { Kysely } from "kysely";
import type { FindKnowledge } from "../nodes/services.ts";
import { readerFor } from "../permission/sources.ts";
import type { Database } from "../store/schema.ts";
import { pageLink } from "./page-link.ts";
import { searchPassages } from "./search.ts";

/** How turns and runs search: as those for whom they act may read, answered in words for people and models. */
export function knowledgeFinder(db: Kysely<Database>, publicUrl: string): FindKnowledge {
  return async (question, { limit, sourceIds }, owner) => {
    const { userId, teamId } = owner;
    if (userId === null && teamId === null) return [];
    const actor = userId === null ? { userId, teamId: teamId ?? "" } : { userId, teamId };
    const asked = { question, limit, sourceIds, sourceTypes: null };
    const found = await searchPassages(db, readerFor(actor), asked);
    if (found === null) return null;
    return found.map((passage) => ({
      passage: passage.content,
      source: passage.sourceName,
      file: passage.fileName,
      ...(passage.section === null ? {} : { section: passage.section }),
      ...(passage.page === null ? {} : { page: passage.page }),
      link: pageLink(publicUrl, passage),
    }));
  };
}
