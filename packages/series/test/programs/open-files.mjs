/** Opens a store of files for writer.mjs, which looks at the calls that make or remove a file. */
import { nodeStoreFileSystem } from "../../build/file-system/store-file-system.js";
import { openWith } from "../../build/open.js";
import { readOptions } from "../../build/options.js";

export async function open(options, _driver, watch) {
  const system = nodeStoreFileSystem();
  const watched =
    (kind, act) =>
    (...args) =>
      watch(kind, typeof args[0] !== "string" || args[0].startsWith(options.path), () => act(...args));
  const files = {
    ...system,
    rename: watched("commit", system.rename),
    unlink: watched("remove", system.unlink),
    syncFolder: watched("folder", system.syncFolder),
    create: watched("create", async (name) => {
      const file = await system.create(name);
      return {
        ...file,
        write: watched("block", (...args) => file.write(...args)),
        datasync: watched("sync", () => file.datasync()),
      };
    }),
  };
  // Many windows have late points and deletes: they are written again and again.
  const summarize = [{ window: "5m", aggregate: ["sum", "max", "last"], keep: "30d" }];
  return await openWith(readOptions({ ...options, maxHeadBytes: 262_144, summarize }), files);
}
