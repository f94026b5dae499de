import "@testing-library/jest-dom/vitest";
import { render } from "@testing-library/react";
import { expect, it } from "vitest";
import { AgentAvatar } from "./AgentAvatar.tsx";

const shown = (metadata: unknown) => render(<AgentAvatar name="Sea Scribe" metadata={metadata} />).container;

it("shows the icon that the agent's settings name in place of the letters", () => {
  const avatar = shown({ appearance: { icon: "pen" } });
  expect(avatar.querySelector("svg")).not.toBeNull();
  expect(avatar).toHaveTextContent(/^$/);
});

it.each([
  ["none is named", {}],
  ["it is not ours", { appearance: { icon: "rocket" } }],
  ["its name is one of every object", { appearance: { icon: "constructor" } }],
  ["the settings are of another form", { appearance: ["pen"] }],
  ["there are none", null],
])("shows the letters of the name where %s", (_why, metadata) => {
  const avatar = shown(metadata);
  expect(avatar.querySelector("svg")).toBeNull();
  expect(avatar).toHaveTextContent("SS");
});
