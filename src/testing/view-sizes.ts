import { afterEach, beforeEach, vi } from "vitest";

/**
 * Gives elements a size, which jsdom has none of, so that windowed lists show rows in tests: `view` px for whatever
 * scrolls, `row` px for each measured row.
 */
export function viewSizes({ view = 800, row = 60 } = {}): void {
  beforeEach(() => {
    const height = function (this: HTMLElement) {
      return this.dataset.index === undefined ? view : row;
    };
    vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockImplementation(height);
    vi.spyOn(HTMLElement.prototype, "offsetWidth", "get").mockReturnValue(900);
    vi.spyOn(Element.prototype, "clientHeight", "get").mockReturnValue(view);
    vi.spyOn(Element.prototype, "clientWidth", "get").mockReturnValue(900);
  });
  afterEach(() => vi.restoreAllMocks());
}
