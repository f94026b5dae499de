import { sql } from "kysely";
import { recordService } from "../audit/record.ts";
import type { Tx } from "../store/store.ts";
import { endConnections } from "./connections.ts";

/** Ends what people have let programs do that describe themselves: none of those may ask any more (`programs.metadata_documents`). */
export async function endDocumentPrograms(tx: Tx): Promise<void> {
  const programs = await tx
    .selectFrom("oauth_programs")
    .select(["id", "name"])
    .where("kind", "=", "document")
    .where((where) =>
      where.exists(
        where
          .selectFrom("oauth_connections")
          .select(sql`1`.as("one"))
          .whereRef("program_id", "=", "oauth_programs.id")
          .where("ended_at", "is", null),
      ),
    )
    .execute();
  const reason = "programs that describe themselves were switched off";
  for (const { id, name } of programs) {
    const ended = await endConnections(tx, { program_id: id });
    const events = ended.map((connection) => ({
      action: "program.end" as const,
      object: { kind: "program" as const, id: connection.id, name },
      changes: [{ field: "reason", shown: true, before: null, after: reason }],
    }));
    await recordService(tx, events);
  }
}
