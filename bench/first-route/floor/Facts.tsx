import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { read } from "./read.ts";

/** One object: its fields, and the first hundred entries of each list that it has. */
export function Facts() {
  const { of } = useSearch({ strict: false }) as { of: string };
  const { data } = useQuery(read(of));
  if (data === undefined) return <p className="text-gray-500">Loading</p>;
  const [only, ...others] = Object.values(data);
  const isWrapped = others.length === 0 && typeof only === "object" && only !== null;
  const object = isWrapped ? (only as Record<string, unknown>) : data;
  return (
    <>
      <h1 data-ready className="mb-4 text-xl font-semibold">
        {String(object.name ?? object.filename ?? "Object")}
      </h1>
      <dl>
        {Object.entries(object).map(([name, value]) => (
          <div key={name} className="flex gap-4 border-b border-gray-200 py-1">
            <dt className="w-40 text-gray-500">{name}</dt>
            <dd className="min-w-0 flex-1">{Array.isArray(value) ? <Entries of={value} /> : text(value)}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

function Entries({ of }: { of: readonly unknown[] }) {
  const lines = of.slice(0, 100).map((value, at) => ({ at, line: text(value) }));
  return (
    <ol className="font-mono text-xs">
      {lines.map(({ at, line }) => (
        <li key={at}>{line}</li>
      ))}
    </ol>
  );
}

const text = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value)).slice(0, 500);
