// node run-sequentially.mjs PROGRAMS: imports programs one after the other and prints what each printed, as JSON. PROGRAMS is a list of
// [file, number of lines] as JSON. A program ends with its last line: few leave something to wait for.
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { format } from "node:util";

const PATIENCE_MS = 60_000;
const printed = [];
for (const [file, count] of JSON.parse(process.argv[2])) printed.push(await printedBy(file, count));
process.stdout.write(JSON.stringify(printed), () => process.exit(0));

async function printedBy(file, count) {
  const lines = [];
  const { promise, resolve } = resolvable();
  console.log = (...values) => {
    lines.push(...format(...values).split("\n"));
    if (lines.length >= count) resolve();
  };
  try {
    await import(pathToFileURL(file).href);
    await Promise.race([promise, sleep(PATIENCE_MS)]);
  } catch (error) {
    lines.push(String(error?.stack ?? error));
  }
  return lines.join("\n");
}

function resolvable() {
  let resolve;
  const promise = new Promise((each) => {
    resolve = each;
  });
  return { promise, resolve };
}
