// `npm run fuzz [-- TARGET ..] [--seconds 60] [--seed N] [--keep]`
//
// Mutates the golden vectors and the kept corpus (vectors/corpus/TARGET) and feeds them to one target in a process of its
// own with a memory cap. Each case has a time cap. The oracle: a value that holds together, or one of our coded errors.
// An input that fails is kept as vectors/corpus/TARGET/crash-..; with --keep also inputs whose outcome is of a new kind.
import { parseArgs } from "node:util";
import { oversee } from "./fuzz/oversee.mjs";
import { TARGETS } from "./fuzz/targets.mjs";

const USAGE = `usage: npm run fuzz [-- TARGET ..] [--seconds 60] [--seed N] [--keep]
targets: ${TARGETS.join(", ")}`;

/** What was asked for; null for what makes no sense. */
function parse() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        seconds: { type: "string", default: "60" },
        seed: { type: "string" },
        keep: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    });
    const seconds = Number(values.seconds);
    const seed = values.seed === undefined ? Date.now() % 2 ** 31 : Number(values.seed);
    if (!(seconds > 0) || !positionals.every((name) => TARGETS.includes(name))) return null;
    return {
      targets: positionals.length > 0 ? positionals : TARGETS,
      seconds,
      seed,
      keep: values.keep,
      help: values.help,
    };
  } catch {
    return null;
  }
}

const asked = parse();
if (asked === null) {
  console.error(USAGE);
  process.exitCode = 2;
} else if (asked.help) {
  console.log(USAGE);
} else {
  for (const target of asked.targets)
    if (!(await oversee(target, asked.seconds, asked.seed, asked.keep))) process.exitCode = 1;
}
