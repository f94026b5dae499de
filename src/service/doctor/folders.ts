import { constants, readFileSync } from "node:fs";
import { access, rm, stat, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Config, S3Place } from "../config.ts";
import { FilesError } from "../files/files-error.ts";
import { openPlace, placeText } from "../files/open-files.ts";
import { codeOf, sentenceOf } from "../store/store-error.ts";
import { type Finding, ok, problem, skipped, warning } from "./finding.ts";

/** With less than this the disk is about to be full, in bytes. */
const little = 2e9;
const nothing = 100e6;

/** This machine: the version of Node, the data directory, the secret, the folder of files, the disks of both. */
export async function examineFolders(config: Config, filesGiven: boolean): Promise<readonly Finding[]> {
  const { dataDirectory, filesAt, databaseUrl } = config;
  return [
    node(),
    await dataFolder(dataDirectory),
    await secret(config),
    ...(databaseUrl !== null && !filesGiven
      ? [
          problem(
            "files.folder",
            "DATABASE_URL is set, but --files is not",
            "Give all processes the same --files PLACE, which start and worker ask for",
          ),
        ]
      : filesAt.type === "folder"
        ? await writable("files.folder", filesAt.path)
        : [await bucket(filesAt)]),
    ...(await disks([dataDirectory, ...(filesAt.type === "folder" ? [filesAt.path] : [])])),
  ];
}

/** Whether the object store takes, gives and removes files: by one that is written and removed again. */
async function bucket(place: S3Place): Promise<Finding> {
  const check = "files.bucket";
  try {
    await openPlace(place).check();
    return ok(check, `${placeText(place)} at ${new URL(place.endpoint).host} takes, gives and removes files`);
  } catch (error) {
    if (error instanceof FilesError) return problem(check, error.found, error.action);
    return problem(check, `${placeText(place)} cannot be used (${sentenceOf(error)})`, "Look at --files");
  }
}

function node(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return ok("node", `Node.js ${process.versions.node}`);
  return problem("node", `Node.js ${process.versions.node} is too old`, "Install Node.js 20.19 or newer");
}

async function dataFolder(path: string): Promise<Finding> {
  const check = "data.folder";
  const found = await stat(path).catch((error: unknown) => error);
  if (codeOf(found) === "ENOENT") return ok(check, `${path} is made at the first start`);
  if (found instanceof Error)
    return problem(
      check,
      `${path} cannot be read (${codeOf(found)})`,
      "Make it readable, or name another with --data",
    );
  const [refused] = await writable(check, path);
  if (refused?.state === "problem") return refused;
  const { mode, uid } = await stat(path);
  if ((mode & 0o067) !== 0)
    return warning(
      check,
      `${path} is open to others (rights ${(mode & 0o777).toString(8)})`,
      `Close it: chmod 700 ${path}`,
    );
  const mine = process.getuid?.();
  if (mine !== undefined && mine !== 0 && uid !== mine)
    return warning(check, `${path} is another user's`, "Run this, and the service, as the user that has it");
  return ok(check, `${path} can be written, and is closed to others`);
}

async function secret({ secret: given, dataDirectory, databaseUrl }: Config): Promise<Finding> {
  const check = "secret";
  if (given !== null) return ok(check, `WHEELHOUSE_SECRET has ${given.length} characters`);
  if (databaseUrl !== null)
    return problem(
      check,
      "DATABASE_URL is set, but WHEELHOUSE_SECRET is not",
      "Set it to the same 32 characters or more in all processes",
    );
  const path = join(dataDirectory, "secret");
  try {
    const { mode } = await stat(path);
    if (readFileSync(path, "utf8").trim().length < 32)
      return problem(
        check,
        `${path} holds no secret`,
        "Put it back from a copy: links and stored sign-ins need it",
      );
    if ((mode & 0o077) !== 0)
      return warning(check, `${path} is open to others`, `Close it: chmod 600 ${path}`);
    return ok(check, `${path} is there, for its owner alone`);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return ok(check, `${path} is made at the first start`);
    return problem(
      check,
      `${path} cannot be read (${codeOf(error)})`,
      "Make it readable for the service's user",
    );
  }
}

/** Whether files can be written there: by one that is written and removed again. */
async function writable(check: string, path: string): Promise<readonly Finding[]> {
  const probe = join(path, `.doctor-${process.pid}-${Date.now()}`);
  try {
    await access(path, constants.R_OK);
    await writeFile(probe, "", { mode: 0o600, flag: "wx" });
    return [ok(check, `${path} can be written`)];
  } catch (error) {
    if (codeOf(error) === "ENOENT" && (await parentTakes(path)))
      return [ok(check, `${path} is made when it is needed`)];
    const why = codeOf(error) ?? sentenceOf(error);
    return [
      problem(
        check,
        `${path} cannot be written (${why})`,
        "Make it writable for the service's user, or free its disk",
      ),
    ];
  } finally {
    await rm(probe, { force: true }).catch(() => undefined);
  }
}

/** Whether a folder that is not there could be made: by the nearest one that is. */
async function parentTakes(path: string): Promise<boolean> {
  for (let above = join(path, ".."); ; above = join(above, "..")) {
    try {
      await access(above, constants.W_OK);
      return true;
    } catch (error) {
      if (codeOf(error) !== "ENOENT" || above === join(above, "..")) return false;
    }
  }
}

/** A finding for each disk that the folders lie on. */
async function disks(paths: readonly string[]): Promise<readonly Finding[]> {
  const found = new Map<string, Finding>();
  for (const path of paths) {
    try {
      const { dev } = await stat(path);
      const { bavail, bsize } = await statfs(path);
      if (!found.has(String(dev))) found.set(String(dev), disk(path, bavail * bsize));
    } catch {
      found.set(path, skipped("disk", `The disk of ${path} is known when the folder is there`));
    }
  }
  return [...found.values()];
}

function disk(path: string, free: number): Finding {
  const left = `The disk of ${path} has ${(free / 1e9).toFixed(1)} GB left`;
  const action = "Make room; retention in wheelhouse.yaml deletes what is old";
  if (free < nothing) return problem("disk", left, action);
  return free < little ? warning("disk", left, action) : ok("disk", left);
}
