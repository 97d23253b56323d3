/** Other databases for points in Node, behind one interface. */

/** When a write is acknowledged: when it is on the medium, or when the system has it. */
export type PeerDurability = "sync" | "batch";

/** How a peer is opened. */
export interface PeerOptions {
  readonly folder: string;
  readonly durability: PeerDurability;
  /** Metrics are the numbers from 0 to `metrics` - 1. */
  readonly metrics: number;
}

/** Points of one metric. */
export interface PeerPoints {
  readonly times: Float64Array;
  readonly values: Float64Array;
}

/** A kind of database. */
export interface Peer {
  readonly id: string;
  readonly title: string;
  /** The package, or undefined for a module of Node. */
  readonly package: string | undefined;
  /** Reads that are under way at a time. 1 for a database that works on the calling thread. */
  readonly readsInFlight: number;
  open(options: PeerOptions): Promise<OpenPeer>;
}

/** An open database. */
export interface OpenPeer {
  /** The version, if the package does not state it. */
  readonly version?: string;
  /** Writes a value for each metric at a time; resolves with the durability of `PeerOptions`. */
  writeScrape(time: number, values: Float64Array): Promise<void>;
  /** Ends writing, after the last scrape. */
  finish(): Promise<void>;
  /** Makes the files as small as the database can. */
  compact(): Promise<void>;
  /** The points of a metric, `from` inclusive, `to` exclusive, by ascending time. `lane` is less than `readsInFlight`. */
  read(metric: number, from: number, to: number, lane: number): Promise<PeerPoints>;
  close(): Promise<void>;
}

/** Gathers points. */
export class PointList implements PeerPoints {
  times: Float64Array;
  values: Float64Array;
  #length = 0;

  constructor(expected: number) {
    this.times = new Float64Array(expected);
    this.values = new Float64Array(expected);
  }

  add(time: number, value: number): void {
    if (this.#length === this.times.length) throw new RangeError("there are more points than expected");
    this.times[this.#length] = time;
    this.values[this.#length++] = value;
  }

  /** The added points. */
  end(): PeerPoints {
    return { times: this.times.subarray(0, this.#length), values: this.values.subarray(0, this.#length) };
  }
}
