import { connectionWords, type ServerIn } from "../../components/mcp/servers.ts";
import { State } from "../../ui/State.tsx";

/** One connection in a cell; what is not offered to this side says so. */
export function ConnectionState({ server }: { server: ServerIn | null }) {
  const words = connectionWords(server);
  if (words === null) return <span className="text-muted">not offered</span>;
  return <State tone={words.tone} word={words.word} />;
}
