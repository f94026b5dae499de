import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { read } from "./read.ts";

/** The rows of the first list in the answer, each with its first texts. */
export function List() {
  const { of } = useSearch({ strict: false }) as { of: string };
  const { data } = useQuery(read(of));
  const rows = Object.values(data ?? {}).find(Array.isArray) as Record<string, unknown>[] | undefined;
  return (
    <>
      <h1 className="mb-4 text-xl font-semibold">List</h1>
      <table className="w-full text-left">
        <tbody>
          {rows?.map((row) => (
            <tr key={JSON.stringify(row)} data-ready className="border-b border-gray-200">
              {Object.entries(row)
                .filter(([, value]) => typeof value === "string")
                .slice(0, 6)
                .map(([name, value]) => (
                  <td key={name} className="py-2 pr-4">
                    {String(value).slice(0, 60)}
                  </td>
                ))}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
