/** The examples of docs/hazelcast.md and of the README, as they stand, and the reader for Java. */
import { execFile, execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { runWithHostileClients } from "@moonpack/tools/hostile-clients/run";
import { serversInPages } from "@moonpack/tools/hostile-clients/servers";
import { examplesFor, promised } from "@moonpack/tools/pages";
import { findRuntime } from "@moonpack/tools/runtimes";
import { SHARE, share } from "@moonpack/tools/share";
import { expect, test } from "vitest";
import { moonpackSerialization } from "../../src/index.ts";
import type { TestCluster } from "../harness/cluster.ts";
import { withProject } from "../harness/project.ts";

const all = examplesFor("hazelcast");
/** Each takes a second: a share are the README's and the first ones of the page. */
const examples = all.slice(0, share(all.length, 2));
const PAGE = fileURLToPath(new URL("../../../../docs/hazelcast.md", import.meta.url));
const PROGRAM = fileURLToPath(new URL("../programs/ReadAndWrite.java", import.meta.url));

export function examplesOfPages(clusterOf: () => TestCluster): void {
  /** The example's code, for this cluster. */
  const programOf = (code: string): string => {
    const { name, ports } = clusterOf();
    const network = `network: { clusterMembers: ["127.0.0.1:${ports[0]}"] }`;
    const quiet = `properties: { "hazelcast.logging.level": "OFF" }`;
    expect(code).toContain('clusterName: "dev"');
    return code.replaceAll('clusterName: "dev"', `clusterName: "${name}", ${network}, ${quiet}`);
  };

  test.each(examples)("$page:$line", async ({ code }) => {
    const program = programOf(code);
    await withProject("5.6", async (folder) => {
      writeFileSync(join(folder, "example.mjs"), program);
      const options = { cwd: folder, encoding: "utf8", timeout: 60_000 } as const;
      const { stdout } = await promisify(execFile)(process.execPath, ["example.mjs"], options);
      const lines = promised(code);
      expect(lines).not.toBeNull();
      expect(stdout.trimEnd().split("\n")).toEqual(lines);
    });
  });

  // These take seconds.
  if (SHARE < 1) return;
  // As packages/moonpack/test/servers.node.test.ts, for the servers that need a member. Hostile clients have sessions, too, so the number
  // that the page prints is another one.
  test.each(serversInPages("hazelcast"))("hostile clients: $page:$line", async ({ code }) => {
    const program = programOf(code);
    await withProject("5.6", async (folder) => {
      writeFileSync(join(folder, "example.mjs"), program);
      const done = await runWithHostileClients(["example.mjs"], { cwd: folder });
      expect(done, done.stderr).toMatchObject({ status: 0, signal: null, servers: 1 });
    });
  });

  test("the serializer for Java reads our values, and writes what we read", async () => {
    const { executable, javac, jars } = (await findRuntime("hazelcast"))!;
    const { name, ports } = clusterOf();
    const client = await clusterOf().client({ serialization: moonpackSerialization() });
    const map = await client.getMap<string, unknown>("java");
    await map.set("ours", { a: [1, null, "é"], big: 2n ** 60n });
    const folder = mkdtempSync(join(tmpdir(), "moonpack-java-"));
    try {
      const source = /^```java\n([\s\S]*?)^```$/m.exec(readFileSync(PAGE, "utf8"))![1]!;
      writeFileSync(join(folder, "MessagePackSerializer.java"), source);
      copyFileSync(PROGRAM, join(folder, "ReadAndWrite.java"));
      const classpath = [folder, jars.hazelcast, jars.msgpackCore].join(delimiter);
      const sources = ["MessagePackSerializer.java", "ReadAndWrite.java"];
      execFileSync(javac, ["-d", folder, "-cp", classpath, ...sources], { cwd: folder, stdio: "pipe" });
      const args = ["-Xmx128m", "-cp", classpath, "ReadAndWrite", name, `127.0.0.1:${ports[0]}`];
      const { stdout } = await promisify(execFile)(executable, args, { cwd: folder, timeout: 60_000 });
      expect(stdout.trim()).toBe('{"a":[1,null,"é"],"big":1152921504606846976}');
      expect(await map.get("theirs")).toEqual({ a: [1, null, "é"], big: 2n ** 60n });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
}
