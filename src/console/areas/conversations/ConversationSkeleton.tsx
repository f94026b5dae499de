/** The shape of a conversation while it is read for the first time. */
export function ConversationSkeleton() {
  return (
    <div role="status" className="appear-late">
      <span className="sr-only">Reading the conversation</span>
      {["first", "second", "third"].map((key, at) => (
        <div
          key={key}
          aria-hidden="true"
          className={`grid gap-x-3 gap-y-3 px-edge-left py-4 sm:grid-cols-[104px_minmax(0,1fr)] ${at % 2 === 0 ? "bg-surface-sunken" : ""}`}
        >
          <span className="h-2 w-16 rounded-tag bg-surface-pressed" />
          <span className="flex flex-col gap-3">
            <span className="h-2 w-4/5 rounded-tag bg-surface-pressed" />
            {at % 2 === 1 && <span className="h-2 w-3/5 rounded-tag bg-surface-pressed" />}
            {at % 2 === 1 && <span className="h-16 rounded-control bg-surface-pressed" />}
          </span>
        </div>
      ))}
    </div>
  );
}
