/** Two members without any class of ours. */
import { afterAll, beforeAll, describe } from "vitest";
import { isLeftOut, START_MS, TestCluster } from "./harness/cluster.ts";
import { killed } from "./suites/killed.ts";
import { limits } from "./suites/limits.ts";
import { structures } from "./suites/structures.ts";

describe.skipIf(isLeftOut)("two members", () => {
  let cluster: TestCluster;
  beforeAll(async () => {
    cluster = await TestCluster.start(2);
  }, START_MS);
  afterAll(() => cluster?.stop());

  describe("structures", () => structures(() => cluster));
  describe("limits", () => limits(() => cluster));
  // The last one: it ends members.
  describe("a member is killed", () => killed(() => cluster));
});
