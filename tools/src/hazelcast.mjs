// A Hazelcast member for tests and benchmarks: Java of the system, and jars from Maven in the user's cache folder.
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";

/** The jars of a member. SQL and msgpack-core are for members that query MessagePack (packages/hazelcast/java). */
const VERSION = "5.5.0";
const JARS = {
  hazelcast: `com.hazelcast:hazelcast:${VERSION}`,
  sql: `com.hazelcast:hazelcast-sql:${VERSION}`,
  msgpackCore: "org.msgpack:msgpack-core:0.9.9",
};
/** Members of this version need it. */
const MIN_JAVA = 17;

/**
 * Java, its compiler and the jars; undefined if one is missing. `inPath` finds programs: this module is part of
 * runtimes.mjs, which has it.
 */
export async function memberParts(inPath) {
  const [java, javac] = [inPath(["java"]), inPath(["javac"])];
  if (java === undefined || javac === undefined || Number.parseInt(java.version, 10) < MIN_JAVA) return undefined;
  const folder = await cacheFolder();
  const jars = Object.fromEntries(Object.entries(JARS).map(([name, artifact]) => [name, jarOf(folder, artifact)]));
  if (!Object.values(jars).every((jar) => existsSync(jar))) return undefined;
  return { executable: java.executable, java: java.version, version: VERSION, javac: javac.executable, jars };
}

/** Fetches the jars by Maven. `run` throws if a command fails. */
export async function installJars(run) {
  const folder = await cacheFolder();
  mkdirSync(folder, { recursive: true });
  for (const artifact of Object.values(JARS)) {
    if (existsSync(jarOf(folder, artifact))) continue;
    run("mvn", ["-q", "-B", "dependency:copy", `-Dartifact=${artifact}`, `-DoutputDirectory=${folder}`], {
      cwd: folder,
      shell: process.platform === "win32",
    });
  }
}

function jarOf(folder, artifact) {
  const [, name, version] = artifact.split(":");
  return join(folder, `${name}-${version}.jar`);
}

async function cacheFolder() {
  // Imported late: it needs the installed packages.
  const { default: envPaths } = await import("env-paths");
  return join(envPaths("moonpack", { suffix: "" }).cache, "hazelcast");
}
