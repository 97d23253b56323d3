/** The setup of tests of generated code for a whole file: our Readers in the originals' code, and a Long class. Node only. */
import { configure } from "@moonpack/protobuf";
import { afterAll, beforeAll } from "vitest";
import { acceptOurs, Long } from "./protobufjs.ts";

/** Before all tests of the file; undone after them. */
export function withOriginals(): void {
  let restore: () => void;
  beforeAll(() => {
    restore = acceptOurs();
    configure({ Long });
  });
  afterAll(() => {
    configure({ Long: null });
    restore();
  });
}
