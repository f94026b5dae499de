import * as z from "zod/mini";
import type { Known } from "../../api/capabilities.ts";
import type { Credential } from "../../api/request.ts";
import type { OfferedConnection } from "./connections.ts";

export interface KnownTeam {
  readonly id: string;
  readonly name: string;
}

/** Everything that a sign-in gave. It is what the vault keeps, so it is plain data. */
export interface SignedIn {
  readonly connection: OfferedConnection;
  readonly credential: Credential;
  /** The person's name as the service says it; null where it does not. */
  readonly userName: string | null;
  /** Null where this service does not list teams. */
  readonly teams: readonly KnownTeam[] | null;
  /** What the service has beyond the core. */
  readonly known: Known;
  /** Never handed to another tab. */
  readonly thisTabOnly: boolean;
  /** Milliseconds since 1970, by this browser's clock. */
  readonly signedInAt: number;
  /** When the credential ends, milliseconds since 1970; null where that is not known. */
  readonly expiresAt: number | null;
}

const nullableText = z.nullable(z.string());

const schema = z.object({
  connection: z.object({ name: z.string(), path: z.string(), kind: z.enum(["own", "upstream"]) }),
  credential: z.object({
    kind: z.enum(["personal", "team", "token"]),
    secret: z.string().check(z.minLength(1)),
    userId: nullableText,
    teamId: nullableText,
  }),
  userName: nullableText,
  teams: z.nullable(z.array(z.object({ id: z.string(), name: z.string() }))),
  known: z.object({ named: z.nullable(z.array(z.string())), tried: z.record(z.string(), z.boolean()) }),
  thisTabOnly: z.boolean(),
  signedInAt: z.number(),
  expiresAt: z.nullable(z.number()),
});

/** Reads what another page load or another tab left; null for anything else. */
export function parseSignedIn(value: unknown): SignedIn | null {
  const parsed = schema.safeParse(value);
  return parsed.success ? parsed.data : null;
}

/** Who it is, without the secret: the same person on the same connection for the same team has the same identity. */
export function identityOf({ connection, credential }: Pick<SignedIn, "connection" | "credential">): string {
  const { kind, userId, teamId } = credential;
  return [connection.path, kind === "team" ? "team" : "person", userId ?? "", teamId ?? ""].join(" ");
}

/** What each kind of credential is called. */
export const kinds = { personal: "Personal key", team: "Team key", token: "Access token" } as const;

/** The team in use, by its name where the service told it; a team's key acts for its one team. Null for none. */
export function teamName({ credential, teams }: Pick<SignedIn, "credential" | "teams">): string | null {
  if (credential.teamId === null)
    return credential.kind === "team" && teams?.length === 1 ? (teams[0]?.name ?? null) : null;
  return teams?.find((team) => team.id === credential.teamId)?.name ?? credential.teamId;
}

/**
 * For the foot of the sidebar: who the person is, and for which team they act; last, what may be cut off: the connection
 * where there are others, else the kind of key.
 */
export function signedInWords(as: SignedIn, hasOtherConnections: boolean) {
  const { connection, credential, userName } = as;
  return {
    who: userName ?? credential.userId ?? connection.name,
    forWhom: `${teamName(as) ?? "No team"} · ${hasOtherConnections ? connection.name : kinds[credential.kind]}`,
  };
}
