/** The package's Java class, compiled for members. */
import { execFileSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { findRuntime } from "@moonpack/tools/runtimes";
import { SHARE } from "@moonpack/tools/share";
import type { ClusterWishes } from "./cluster.ts";

const SOURCE = fileURLToPath(new URL("../../java/MessagePackToJson.java", import.meta.url));

/** Compiles sources, with all warnings as errors. Returns what a classpath needs besides Hazelcast: the folder and the jars. */
export async function compiled(sources: readonly string[] = [SOURCE]): Promise<string[]> {
  const { javac, jars } = (await findRuntime("hazelcast"))!;
  const folder = mkdtempSync(join(tmpdir(), "moonpack-java-"));
  const classpath = [jars.hazelcast, jars.msgpackCore];
  const args = ["-Xlint:all", "-Werror", "--release", "17", "-d", folder, "-cp", classpath.join(delimiter), ...sources];
  execFileSync(javac, args, { encoding: "utf8", stdio: "pipe" });
  return [folder, jars.msgpackCore, jars.sql];
}

/** Members that see MessagePack as JSON, as docs/hazelcast.md configures them. */
export async function queryingMembers(): Promise<ClusterWishes> {
  return {
    classpath: await compiled(),
    jet: SHARE === 1,
    config: `  serialization:
    serializers:
      - type-class: moonpack.MessagePackToJson
        class-name: moonpack.MessagePackToJson
      - type-class: moonpack.MessagePackToJson$Packed
        class-name: moonpack.MessagePackToJson$Packed
  map:
    "objects": { in-memory-format: OBJECT }
`,
  };
}
