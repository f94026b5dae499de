import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { type McpOwner, startMcpSignIn } from "../../../contract/mcp-connection.ts";
import { ConsoleError } from "../../api/errors.ts";
import { useApi, useCan } from "../../lib/api.tsx";
import { ConcurrencyLimit } from "../../lib/bulk/concurrency-limit.ts";
import { safeUrl } from "../../lib/markdown/links.ts";
import { parseTime } from "../../lib/time/format.ts";
import { useGoneSignal } from "../../lib/useGoneSignal.ts";
import { useToast } from "../../ui/Toast.tsx";
import { useSignedIn } from "../session/index.ts";
import { beginSignIn, mcpMutations, mcpQueries } from "./queries.ts";
import type { ServerIn, ServerRow } from "./servers.ts";

/** What came of asking a server. */
export type Answered =
  | { readonly type: "answered"; readonly tools: number }
  /** It wants somebody to be signed in, and nobody is. */
  | { readonly type: "sign-in" }
  | { readonly type: "failed"; readonly error: unknown }
  /** The service asks no server for us: its catalogue was read again. */
  | { readonly type: "read" };

/** The last time that a server was asked from this page. */
export interface Check {
  readonly isAsking: boolean;
  /** Null while the first answer is awaited. */
  readonly last: { readonly answer: Answered; readonly at: string } | null;
}

/** So many are asked at a time when the page opens, and so many in all. */
const atOnce = 2;
const most = 20;

/** One that failed so short a while ago, in ms, is not asked again because a page opens. */
const recently = 60_000;

/** Asks servers now, by whoever's connection, whatever their status says, and keeps what each answered. */
export function useChecks() {
  const api = useApi();
  const queries = useQueryClient();
  const [checks, setChecks] = useState<ReadonlyMap<string, Check>>(new Map());

  const ask = useCallback(
    async ({ server_id, team_id = null }: McpOwner): Promise<Answered> => {
      const readAgain = async (): Promise<Answered> => {
        await queries.fetchQuery({ ...mcpQueries.servers(api, team_id), staleTime: 0, retry: false });
        return { type: "read" };
      };
      try {
        if (!api.capabilities.can("mcp_tools")) return await readAgain();
        const question = { ...mcpQueries.tools(api, server_id, team_id), staleTime: 0, retry: false };
        const { data } = await queries.fetchQuery(question);
        // The catalogue has the new state, and its time.
        await queries.refetchQueries({ queryKey: mcpQueries.allServers(api), type: "active" });
        if (data.status === "unauthenticated") return { type: "sign-in" };
        return { type: "answered", tools: data.tools?.length ?? 0 };
      } catch (error) {
        // A service that has no such call said so just now.
        if (!api.capabilities.can("mcp_tools")) return await readAgain().catch(failed);
        await queries.refetchQueries({ queryKey: mcpQueries.allServers(api), type: "active" });
        return failed(error);
      }
    },
    [api, queries],
  );

  const check = useCallback(
    async (owner: McpOwner): Promise<Answered> => {
      const key = keyOf(owner);
      setChecks((old) => new Map(old).set(key, { isAsking: true, last: old.get(key)?.last ?? null }));
      const answer = await ask(owner);
      const at = new Date(api.clock.now()).toISOString();
      setChecks((old) => new Map(old).set(key, { isAsking: false, last: { answer, at } }));
      return answer;
    },
    [api, ask],
  );

  const of = (owner: McpOwner): Check | undefined => checks.get(keyOf(owner));
  return { check, of };
}

export type Checks = ReturnType<typeof useChecks>;

const failed = (error: unknown): Answered => ({ type: "failed", error });
const keyOf = ({ server_id, team_id }: McpOwner): string => `${server_id} ${team_id ?? ""}`;

/** Asks the servers that need no sign-in and of which nothing is known, or nothing good, once, when the page opens. */
export function useAskOnOpen(
  rows: readonly ServerRow[],
  teamId: string | null,
  check: Checks["check"],
): void {
  const { clock } = useApi();
  const isTold = useCan("mcp_connections");
  const asked = useRef(new Set<string>());
  const gone = useGoneSignal();
  useEffect(() => {
    if (!isTold) return;
    const waiting = rows
      .filter(({ id, mine, team }) => !asked.current.has(id) && mayAsk(mine ?? team, clock.now()))
      .slice(0, most - asked.current.size);
    for (const { id } of waiting) asked.current.add(id);
    const limit = new ConcurrencyLimit(atOnce);
    const signal = gone();
    for (const { id, mine } of waiting) {
      const owner = { server_id: id, team_id: mine ? null : teamId };
      void limit.take(async () => signal.aborted || (await check(owner)));
    }
  }, [rows, teamId, isTold, check, clock, gone]);
}

/** One without a sign-in takes nobody's credentials: asking it does nothing in anybody's name. */
function mayAsk(server: ServerIn | null, now: number): boolean {
  if (server?.status !== "unauthenticated" || !server.connection) return false;
  const { auth, failed_at } = server.connection;
  if (auth === "sign_in") return false;
  const failedAt = parseTime(failed_at);
  return failedAt === null || now - failedAt > recently;
}

interface SignInStart {
  readonly owner: McpOwner;
  /** The server's, for people. */
  readonly name: string;
  /** Aborts when the page is left. */
  readonly left: AbortSignal;
}

/** Goes to another page in this tab. */
const leave = (address: string) => window.location.assign(address);

/**
 * The ways to connect a server. Where the service is this process's own, it starts the sign-in and the browser follows;
 * elsewhere the address that the service gave is opened. A server that offers no sign-in is asked at once: where it
 * answers, there is nothing to connect.
 */
export function useConnect(check: Checks["check"]) {
  const api = useApi();
  const queries = useQueryClient();
  const toaster = useToast();
  const { connection } = useSignedIn();
  const isOffered = useCan("mcp_connections");
  const canStart = isOffered && connection.kind === "own";
  // Pressed last: whoever chose another server meanwhile is not led to the first.
  const wanted = useRef<SignInStart>(null);
  const gone = useGoneSignal();
  const start = useMutation({
    mutationFn: async ({ owner }: SignInStart) => {
      try {
        const url = safeUrl(await beginSignIn(api, owner));
        if (url) return url;
        const failure = { kind: "contract", path: "authorization_url", requestId: null } as const;
        throw new ConsoleError(failure, startMcpSignIn.name);
      } catch (error) {
        const isOpen = error instanceof ConsoleError && error.code === "sign_in_not_offered";
        if (!isOpen || (await check(owner)).type !== "answered") throw error;
        return null;
      }
    },
    onSuccess: (url, asked) => {
      if (url === null)
        toaster.show({
          tone: "done",
          title: `${asked.name} needs no sign-in`,
          detail: "Agents can use it from now on.",
        });
      else if (asked === wanted.current && !asked.left.aborted) leave(url.href);
    },
  });
  // Back from the server's own page shows this one as it was left, with a start that is over.
  const { reset } = start;
  useEffect(() => {
    const forget = ({ persisted }: PageTransitionEvent) => persisted && reset();
    window.addEventListener("pageshow", forget);
    return () => window.removeEventListener("pageshow", forget);
  }, [reset]);
  const reread = () => queries.invalidateQueries({ queryKey: mcpQueries.allServers(api) });
  const disconnect = useMutation({ ...mcpMutations.disconnect(api), onSettled: reread });
  return {
    /** Whether signing in, signing out and accepting tools happen here. */
    canStart,
    /** @param name of the server, for people */
    start: (owner: McpOwner, name: string) => {
      wanted.current = { owner, name, left: gone() };
      start.mutate(wanted.current);
    },
    /** Which sign-in is being started. */
    starting: start.isPending || start.data != null ? start.variables.owner : null,
    /** Why the last sign-in could not be started, where it was one of this server. */
    startErrorOf: (serverId: string) => (start.variables?.owner.server_id === serverId ? start.error : null),
    disconnect,
  };
}
