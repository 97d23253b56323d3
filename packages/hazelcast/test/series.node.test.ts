/** The driver of series on one member. */
import { SHARE } from "@moonpack/tools/share";
import { afterAll, beforeAll, describe } from "vitest";
import { isLeftOut, START_MS, TestCluster } from "./harness/cluster.ts";
import { conformance } from "./series/conformance.ts";
import { example } from "./series/example.ts";
import { model } from "./series/model.ts";
import { ownership } from "./series/ownership.ts";
import { roundTrips } from "./series/round-trips.ts";

describe.skipIf(isLeftOut)("series on one member", () => {
  let cluster: TestCluster;
  beforeAll(async () => {
    cluster = await TestCluster.start(1);
  }, START_MS);
  afterAll(() => cluster?.stop());

  describe("conformance", () => conformance(() => cluster));
  describe("ownership", () => ownership(() => cluster));
  describe("round trips", () => roundTrips(() => cluster));
  // A program and a copy of the package for it take seconds.
  if (SHARE === 1) describe("example", () => example(() => cluster));
  describe("model", () => model(() => cluster));
});
