/** The driver of series on two members, one of which is killed. Only in a whole run: members start in seconds. */
import { SHARE } from "@moonpack/tools/share";
import { afterAll, beforeAll, describe } from "vitest";
import { isLeftOut, START_MS, TestCluster } from "./harness/cluster.ts";
import { killed } from "./series/killed.ts";

describe.skipIf(isLeftOut || SHARE < 1)("series on two members", () => {
  let cluster: TestCluster;
  beforeAll(async () => {
    cluster = await TestCluster.start(2);
  }, START_MS);
  afterAll(() => cluster?.stop());

  killed(() => cluster);
});
