// node scripts/go-game.mjs: emits go/game from its schema. With --check it changes nothing and exits 1 at a difference.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { emitGo } from "../packages/pck/build/emit/go/index.js";
import { root } from "../tools/src/setup.mjs";

const folder = join(root, "go/game");
const schema = JSON.parse(readFileSync(join(folder, "schema.json"), "utf8"));
const files = emitGo(schema, {
  package: "game",
  runtime: "moonpack/pck", // the runtime package of this module, so that no copy is committed
  names: ({ kind }, proposed) => {
    if (kind === "union") return "Shape"; // two fields share one union
    return kind === "enumeration" || kind === "value"
      ? proposed.replace(/^WorldMoods?(?:Key)?/, "Mood")
      : proposed.replace(/^(?:WorldShape|(?:Group|Sheet)Shapes)/, "Shape");
  },
  types: ({ name }) => (name === "user_id" ? { type: "UserID" } : undefined),
  pointers: ({ name }) => name === "owner",
});
for (const { path, text } of files) {
  const file = join(folder, path);
  if (readFileSync(file, { encoding: "utf8", flag: "a+" }) === text) continue;
  if (process.argv.includes("--check")) {
    console.error(`go/game/${path} is stale: run node scripts/go-game.mjs`);
    process.exitCode = 1;
  } else {
    writeFileSync(file, text);
    console.log(`wrote go/game/${path}`);
  }
}
