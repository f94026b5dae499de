import { SkeletonRows } from "../../../ui/SkeletonRows.tsx";

/** The shape of a run page while it is read for the first time. */
export function RunSkeleton() {
  return (
    <>
      <div className="appear-late border-b py-3.5 pr-edge-right pl-edge-left" aria-hidden="true">
        <div className="my-2 h-3 w-72 max-w-full rounded-tag bg-surface-pressed" />
        <div className="mt-4 mb-1 h-2 w-48 rounded-tag bg-surface-pressed" />
      </div>
      <SkeletonRows label="Reading the run" rows={8} columns={["14px", "80px", "120px", "1fr"]} />
    </>
  );
}
