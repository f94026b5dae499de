import { expect, it } from "vitest";
import { commandWords, messageWords, readCommands, toolWords, writeCommand } from "./command.ts";

it("a message of commands alone is read, line by line; every other message is none", () => {
  expect(readCommands('/write_file {"name": "a.md"}\n\n/read_file {"name":"a.md"}')).toEqual([
    { tool: "write_file", args: { name: "a.md" } },
    { tool: "read_file", args: { name: "a.md" } },
  ]);
  expect(readCommands("/almanac__today")).toEqual([{ tool: "almanac__today", args: {} }]);
  for (const other of [
    "",
    "Hello",
    "/write_file [1]",
    "/write_file {",
    "Please\n/read_file {}",
    "/ {}",
    "/etc/hosts",
  ])
    expect(readCommands(other)).toBeNull();
});

it("what is written is read again", () => {
  const command = { tool: "write_file", args: { name: "a.md", content: 'two\nlines "quoted"' } };
  expect(readCommands(writeCommand(command))).toEqual([command]);
});

it("a command is said in words with what it is about", () => {
  expect(commandWords({ tool: "write_file", args: { name: "notes.md", content: "x" } })).toBe(
    "Write a file: notes.md",
  );
  expect(commandWords({ tool: "almanac__day_of_week", args: {} })).toBe("Day of week");
  expect(toolWords("__")).toBe("__");
  expect(messageWords('/read_file {"name":"a"}\n/read_file {"name":"b"}')).toBe("Read a file: a, and 1 more");
  expect(messageWords("Just words")).toBe("Just words");
  expect(messageWords('When does it come?\n/read_file {"name":"a"}\nToday?')).toBe(
    "When does it come?\nToday?",
  );
  expect(messageWords('/read_file {"name":"a"}\n/read_file [')).toBe("/read_file [");
});
