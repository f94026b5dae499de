import { useSignedIn } from "./wheelhouse-context.tsx";

/** Who a user id is, in a word: "you", else the id, since the interface tells no names; a dash for nobody. */
export function usePerson(): (userId: string | null | undefined) => string {
  const me = useSignedIn().credential.userId;
  return (userId) => {
    if (!userId) return "–";
    return userId === me ? "you" : userId;
  };
}
