import type { Pool } from "pg";

/** What one message says. */
export interface Said {
  readonly content: string | null;
  readonly parts?: readonly object[];
}

export interface StoredConversation {
  /** Message by message, the person's first. */
  readonly said: readonly Said[];
  readonly userId: string;
  /** Absent: the first one there is. */
  readonly agentId?: string;
  readonly state?: "completed" | "failed" | "processing";
}

/** A conversation as it lies in the database, of any length, without the turns that made it. */
export async function storeConversation(
  pool: Pool,
  id: string,
  { said, userId, agentId, state = "completed" }: StoredConversation,
): Promise<void> {
  await pool.query(
    `insert into interactions (id, agent_id, user_id, type, state, name, error, turn, execution_id)
     values ($1, coalesce($6, (select min(id) from agents)), $5, 'api', $2, 'Long', $3, $4, 'turn_of_nobody')`,
    [id, state, state === "failed" ? "It broke." : null, Math.ceil(said.length / 2), userId, agentId],
  );
  await pool.query(
    `insert into messages (interaction_id, seq, id, role, content)
     select $1, seq, $1 || '_' || seq, case seq % 2 when 1 then 'user' else 'assistant' end, content
       from unnest($2::text[]) with ordinality as given (content, seq)`,
    [id, said.map(({ content }) => content)],
  );
  const parts = said.map((one) => one.parts ?? []);
  await pool.query(
    `insert into message_parts (interaction_id, message_seq, seq, part)
     select $1, seq, number, part from json_array_elements($2::json) with ordinality as said (parts, seq),
            json_array_elements(parts) with ordinality as given (part, number)`,
    [id, JSON.stringify(parts)],
  );
}
