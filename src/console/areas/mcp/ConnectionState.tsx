import { State } from "../../ui/State.tsx";
import { connectionWords, type ServerIn } from "./servers.ts";

type Props = {
  server: ServerIn | null;
  /** It is being asked just now. */
  isAsking?: boolean | undefined;
};

/** One connection in a cell; what is not offered to this side says so. */
export function ConnectionState({ server, isAsking = false }: Props) {
  const words = connectionWords(server);
  if (words === null) return <span className="text-muted">not offered</span>;
  if (isAsking) return <State tone="running" word="asking…" />;
  return <State tone={words.tone} word={words.word} />;
}
