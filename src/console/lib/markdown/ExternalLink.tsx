import type { ReactNode } from "react";
import { safeUrl } from "./links.ts";

type Props = { href: string | null | undefined; children: ReactNode; className?: string };

/** A link out of the console: http or https only, its host in the title, nothing told to the place that it opens. */
export function ExternalLink({ href, children, className }: Props) {
  const url = safeUrl(href);
  if (!url) return <span className={className}>{children}</span>;
  return (
    <a
      href={url.href}
      target="_blank"
      rel="noopener noreferrer"
      referrerPolicy="no-referrer"
      title={`Opens ${url.host}: ${url.href}`}
      className={className}
    >
      {children}
    </a>
  );
}
