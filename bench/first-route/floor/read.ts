import { queryOptions } from "@tanstack/react-query";

/** One answer of the service, read with the key that the bench left in the tab. */
export const read = (of: string) =>
  queryOptions({
    queryKey: [of],
    queryFn: async ({ signal }): Promise<Record<string, unknown>> => {
      const headers = { authorization: `Bearer ${sessionStorage.getItem("floor-key") ?? ""}` };
      const answer = await fetch(of, { headers, signal });
      if (!answer.ok) throw new Error(`${of} answers ${answer.status}`);
      return answer.json();
    },
    staleTime: 60_000,
  });
