import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { freePort } from "./free-port.ts";

/** A network between a service and its database that can be cut. */
export interface DatabaseProxy {
  /** Where the database is reached through it. */
  readonly url: string;
  /** Breaks every connection, and refuses new ones until `mend`. */
  cut(): Promise<void>;
  mend(): Promise<void>;
  /** Lets nothing through any more, and says nothing of it. After `mend` only new connections get through. */
  hang(): void;
  /** The same from the moment when somebody sends what this is true of. */
  hangAt(isIt: (sent: Buffer) => boolean): void;
  /** Says nothing more on each connection that sends what this is true of; the others go on, until `mend`. */
  muteAt(isIt: (sent: Buffer) => boolean): void;
  /**
   * Breaks the connection that next sends this text: before the database has it, or when its answer is on its way.
   * @param after only one that has sent this first: others of the service may send the same text
   */
  breakAt(text: string, when: "before" | "answered", after?: string): void;
  /** Has that done once, when next somebody sends this text: before the database has it. */
  beforeSent(text: string, then: () => void): void;
  /** Forgets both. */
  breakNone(): void;
  close(): Promise<void>;
}

/** @param databaseUrl of a server on a unix socket, as `freshStore` gives it */
export async function databaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const behind = new URL(databaseUrl.replace("@/", "@localhost/"));
  const socketPath = `${behind.searchParams.get("host")}/.s.PGSQL.5432`;
  const open = new Set<Socket>();
  const hold = (socket: Socket) => {
    open.add(socket);
    socket.on("close", () => open.delete(socket)).on("error", () => undefined);
  };
  let breaking: {
    readonly text: string;
    readonly when: "before" | "answered";
    readonly after: string;
    readonly ready: Set<Socket>;
  } | null = null;
  let hanging: (sent: Buffer) => boolean = () => false;
  let muting: (sent: Buffer) => boolean = () => false;
  let before: { readonly text: string; readonly then: () => void } | null = null;
  const watch = (client: Socket, database: Socket) =>
    client.on("data", (sent) => {
      if (before !== null && sent.includes(before.text)) {
        const { then } = before;
        before = null;
        then();
      }
      if (hanging(sent)) hang();
      if (muting(sent)) for (const socket of [client, database]) socket.unpipe().pause();
      if (breaking !== null && sent.includes(breaking.after)) breaking.ready.add(client);
      if (!breaking?.ready.has(client) || !sent.includes(breaking.text)) return;
      const { when } = breaking;
      breaking = null;
      if (when === "before") database.destroy();
      else
        database
          .unpipe(client)
          .once("data", () => client.destroy())
          .resume();
    });
  // Nobody else may get it while the network is cut.
  const port = await freePort();
  const forward = (client: Socket) => {
    const database = connect(socketPath);
    for (const socket of [client, database]) hold(socket);
    watch(client, database);
    client.pipe(database).pipe(client);
    client.on("close", () => database.destroy());
    database.on("close", () => client.destroy());
  };
  const listen = async (): Promise<Server> => {
    const server = createServer(forward).listen(port, "127.0.0.1");
    await once(server, "listening");
    return server;
  };
  let server: Server | null = await listen();
  const hang = () => {
    hanging = () => false;
    for (const socket of open) socket.unpipe().pause();
    server?.removeAllListeners("connection").on("connection", hold);
  };
  const cut = async () => {
    const closing = server;
    server = null;
    closing?.close();
    for (const socket of open) socket.destroy();
    if (closing) await once(closing, "close");
  };
  return {
    url: `postgresql://${behind.username}@127.0.0.1:${port}${behind.pathname}`,
    cut,
    hang,
    hangAt(isIt) {
      hanging = isIt;
    },
    muteAt(isIt) {
      muting = isIt;
    },
    breakAt(text, when, after = "") {
      breaking = { text, when, after, ready: new Set() };
    },
    beforeSent(text, then) {
      before = { text, then };
    },
    breakNone() {
      breaking = null;
      before = null;
    },
    async mend() {
      muting = () => false;
      if (server === null) server = await listen();
      else server.removeAllListeners("connection").on("connection", forward);
    },
    close: cut,
  };
}
