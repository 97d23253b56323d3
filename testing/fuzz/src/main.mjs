// `npm run fuzz [-- TARGET ..] [--seconds 60] [--seed N] [--keep]`
//
// Mutates the golden vectors and the kept corpus (vectors/corpus/TARGET), and passes them to one target in its own
// process
// with a limit on memory. Each case has a limit on time. The result must be a consistent value or one of our coded
// errors.
// A failing input is kept as vectors/corpus/TARGET/crash-..; with --keep, so are inputs with a new kind of outcome.
import { parseArgs } from "node:util";
import { oversee } from "./oversee.mjs";
import { TARGETS } from "./targets.mjs";

const USAGE = `usage: npm run fuzz [-- TARGET ..] [--seconds 60] [--seed N] [--keep]
targets: ${TARGETS.join(", ")}`;

/** The parsed arguments; null when they are invalid. */
function parse(args) {
  try {
    const { values, positionals } = parseArgs({
      args,
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

/** Runs the targets of the arguments. Returns the exit code. */
export async function main(args) {
  const asked = parse(args);
  if (asked === null) {
    console.error(USAGE);
    return 2;
  }
  if (asked.help) {
    console.log(USAGE);
    return 0;
  }
  let failed = false;
  for (const target of asked.targets)
    failed = !(await oversee(target, asked.seconds, asked.seed, asked.keep)) || failed;
  return failed ? 1 : 0;
}
