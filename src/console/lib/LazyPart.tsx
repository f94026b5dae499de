import { Component, type ReactNode, Suspense } from "react";

type Props = {
  /** What stands here while the part is loaded, and where it cannot be. */
  fallback?: ReactNode;
  children: ReactNode;
};

/**
 * A part of a page that is loaded when it is first wanted. Where its code cannot be loaded, only the part is missing:
 * the page stays as it is, and ReloadPrompt says what to do.
 */
export function LazyPart({ fallback = null, children }: Props) {
  return (
    <Boundary fallback={fallback}>
      <Suspense fallback={fallback}>{children}</Suspense>
    </Boundary>
  );
}

class Boundary extends Component<{ fallback: ReactNode; children: ReactNode }, { isBroken: boolean }> {
  override state = { isBroken: false };

  static getDerivedStateFromError() {
    return { isBroken: true };
  }

  override render() {
    return this.state.isBroken ? this.props.fallback : this.props.children;
  }
}
