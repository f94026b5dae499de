import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { expect, vi } from "vitest";
import type { ReaderLimits } from "../service/http/slow-readers.ts";
import type { TestService } from "./service.ts";
import { until } from "./until.ts";

/** Whoever stands still may do so for as long as the test takes. */
export const patientReaders: ReaderLimits = {
  lookMs: 1_000,
  looks: 1_000_000,
  waitingBytes: Number.POSITIVE_INFINITY,
};

/** Whether some of the body has come: the headers go out at once, the body when its turn has come. */
export const hasBegun = ({ bytesRead }: Socket): boolean => bytesRead > 2_000;

/** What tests of large answers do with a service as Ada. */
export function largeAnswers(service: () => TestService) {
  const pool = () => service().context.store.pool;
  const get = (address: string, headers: HeadersInit = {}, method = "GET") =>
    service().call(service().keys.ada, method, address, undefined, headers);
  const countReads = (part: string) => {
    const asked = vi.spyOn(pool(), "query");
    return () => asked.mock.calls.filter(([query]) => JSON.stringify(query).includes(part)).length;
  };
  const askOnly = async (address: string) => {
    const socket = connect(Number(new URL(service().url).port), "127.0.0.1");
    socket.on("error", () => {});
    socket.on("data", () => {
      if (hasBegun(socket)) socket.pause();
    });
    await once(socket, "connect");
    const head = `host: localhost\r\nauthorization: Bearer ${service().keys.ada}\r\n`;
    socket.write(`GET /api/v1${address} HTTP/1.1\r\n${head}\r\n`);
    return socket;
  };
  return {
    pool,
    get,
    /** Reads it to its end. @param before the tag of what was had */
    async tagNow(
      address: string,
      before?: string,
    ): Promise<{ readonly status: number; readonly tag: string }> {
      const answer = await get(address, before === undefined ? {} : { "if-none-match": before });
      await answer.text();
      return { status: answer.status, tag: answer.headers.get("etag") ?? "" };
    },
    /** @returns how many queries with this in their names or texts there were since then; until mocks are restored */
    countReads,
    /** Asks, and reads nothing beyond the first bytes of the body. */
    askOnly,
    /**
     * Sees that it is read from the database only as fast as the client takes it.
     * @param part of the names or texts of the queries that read it
     * @param least of them for the whole of it, which is many
     * @returns its text
     */
    async readAsTaken(address: string, part: string, least: number): Promise<string> {
      const reads = countReads(part);
      const before = reads();
      const text = await (await get(address)).text();
      const whole = reads() - before;
      expect(whole).toBeGreaterThan(least);
      const socket = await askOnly(address);
      await until("its first bytes", () => hasBegun(socket));
      // Others read it to its end meanwhile: time enough for the one who stands still.
      await (await get(address)).text();
      const more = reads() - before - 2 * whole;
      socket.destroy();
      vi.restoreAllMocks();
      expect(more).toBeLessThan(whole / 2);
      return text;
    },
  };
}
