// Tests that fail in a runtime for what it is, by the runtime, the suite and the test's name, each with the reason. Any other
// failure counts, and so does one of these that no longer fails.

const CLOCK = "workerd's clock stands still while code runs, and its timers wait for it: a turn of its loop fires none";
const TURNS = "workerd hands over each chunk in a turn of its own: what is written together does not arrive together";

const KNOWN = {
  workerd: {
    "stream/cooperate": {
      "turns of the event loop > timers run meanwhile": CLOCK,
      "turns of the event loop > the signal ends it between two slices": CLOCK,
    },
    "stream/cooperate-encode": {
      "turns of the event loop > timers run meanwhile, and it can be aborted": CLOCK,
    },
    "stream/encode-stream": { "encodeStream > flush: each value, or what came within a turn": TURNS },
    "stream/transform-streams": {
      "EncodeStream, DecodeStream > what is written in a turn goes out together, without waiting for more": TURNS,
    },
    "stream/sources": {
      "byte streams that close with their last bytes > a Response of bytes":
        "workerd's stream of a Response that was read to its end stays locked",
    },
  },
};

/** Why a test fails in a runtime, undefined when it should not. */
export function knownReason(runtime, suite, test) {
  return KNOWN[runtime]?.[suite]?.[test];
}

/** How many are known of a runtime. */
export function knownCount(runtime) {
  return Object.values(KNOWN[runtime] ?? {}).reduce((sum, tests) => sum + Object.keys(tests).length, 0);
}
