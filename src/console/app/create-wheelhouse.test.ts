// @vitest-environment jsdom
import { expect, it, vi } from "vitest";
import { signedInWheelhouse } from "../../testing/test-wheelhouse.ts";

/** Something that an area keeps, and what it is told. */
function kept() {
  const thing = { close: vi.fn(), forget: vi.fn() };
  return { thing, make: () => thing };
}

it("what an area keeps is made once, and closed when the person signs out", () => {
  const { wheelhouse, api } = signedInWheelhouse();
  const { thing, make } = kept();
  expect(api.keep(make)).toBe(thing);
  expect(api.keep(make)).toBe(thing);
  expect(thing.close).not.toHaveBeenCalled();
  wheelhouse.session.signOut();
  expect(thing.close).toHaveBeenCalledTimes(1);
});

it("what an area keeps is told when the cache lets go of what was read", () => {
  const { wheelhouse, api } = signedInWheelhouse();
  const { thing, make } = kept();
  api.keep(make);
  const queryKey = [api.id, "getRun", "run_1"];
  wheelhouse.queries.setQueryData(queryKey, {});
  expect(thing.forget).not.toHaveBeenCalled();
  wheelhouse.queries.removeQueries({ queryKey });
  expect(thing.forget).toHaveBeenCalledWith(queryKey);
});
