/** The sequence of operations of a round: reads and writes, with their keys. */
import type { Scenario, Settings } from "../options/options.js";
import { Random } from "../random.js";
import { Zipf } from "./zipf.js";

/** Minimum and maximum number of entries; each is 4 bytes. A longer round repeats its sequence. */
const MIN_LENGTH = 2 ** 16;
const MAX_LENGTH = 2 ** 22;
/** Entries per key, up to the maximum. */
const ENTRIES_PER_KEY = 4;

/** Generates the sequences of a run's rounds. */
export class OperationSequences {
  readonly #settings: Settings;
  readonly #zipf: Zipf | undefined;
  readonly #size: number;

  constructor(settings: Settings) {
    const { keys, seed, distribution } = settings;
    this.#settings = settings;
    this.#zipf = distribution === "zipf" ? new Zipf(keys, new Random(seed, 1)) : undefined;
    this.#size = Math.min(MAX_LENGTH, Math.max(MIN_LENGTH, 2 ** Math.ceil(Math.log2(keys * ENTRIES_PER_KEY))));
  }

  /**
   * Returns the operations of a round: the key of a `get`, or the complement (`~key`) of the key of a `set`. The length is a power
   * of two. `stream` is the number of the round.
   */
  of(stream: number, scenario: Scenario): Int32Array {
    const random = new Random(this.#settings.seed, 2 + stream);
    const gets = scenario === "get" ? 1 : scenario === "set" ? 0 : scenario.gets / 100;
    const sequence = new Int32Array(this.#size);
    for (let i = 0; i < sequence.length; i++) {
      const key = this.#zipf?.draw(random) ?? Math.floor(random.fraction() * this.#settings.keys);
      sequence[i] = random.fraction() < gets ? key : ~key;
    }
    return sequence;
  }
}
