/** The example of docs/series-cluster.md, as it stands, in a user's project. */
import { execFile } from "node:child_process";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import type { TestCluster } from "../harness/cluster.ts";
import { withProject } from "../harness/project.ts";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export function example(clusterOf: () => TestCluster): void {
  test("the example of the page", async () => {
    const page = readFileSync(here("../../../../docs/series-cluster.md"), "utf8");
    const code = /^```ts\n([\s\S]*?)^```$/m.exec(page)![1]!;
    const [dev, network] = ['clusterName: "dev"', "network: {"];
    expect(code).toContain(dev);
    expect(code).toContain(network);
    const { name, ports } = clusterOf();
    const program = code
      .replace(dev, `clusterName: "${name}"`)
      .replace(network, `network: { clusterMembers: ["127.0.0.1:${ports[0]}"],`)
      .replace("properties: {", 'properties: { "hazelcast.logging.level": "OFF",');
    await withProject("5.6", async (folder) => {
      for (const name of ["series", "series-kv"])
        symlinkSync(here(`../../../${name}`), join(folder, "node_modules/@moonpack", name), "junction");
      writeFileSync(join(folder, "example.mjs"), program);
      const { stdout } = await promisify(execFile)(process.execPath, ["example.mjs"], { cwd: folder, timeout: 60_000 });
      expect(stdout.trim()).toBe("0.42");
    });
  });
}
