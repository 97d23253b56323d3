/** A member that sees MessagePack as JSON. */
import { SHARE } from "@moonpack/tools/share";
import { afterAll, beforeAll, describe } from "vitest";
import { isLeftOut, START_MS, TestCluster } from "./harness/cluster.ts";
import { queryingMembers } from "./harness/java.ts";
import { clients } from "./suites/clients.ts";
import { evolution } from "./suites/evolution.ts";
import { examplesOfPages } from "./suites/examples.ts";
import { queries } from "./suites/queries.ts";
import { sessions } from "./suites/sessions.ts";
import { structures } from "./suites/structures.ts";

describe.skipIf(isLeftOut)("one member", () => {
  let cluster: TestCluster;
  beforeAll(async () => {
    cluster = await TestCluster.start(1, await queryingMembers());
  }, START_MS);
  afterAll(() => cluster?.stop());

  // In a share those on two members must do.
  if (SHARE === 1) describe("structures", () => structures(() => cluster));
  describe("queries", () => queries(() => cluster));
  describe("evolution", () => evolution(() => cluster));
  describe("sessions", () => sessions(() => cluster));
  describe("clients", () => clients(() => cluster));
  describe("examples", () => examplesOfPages(() => cluster));
});
