/** How much is written and read. A quick run finds mistakes; its figures say little. */

/** Sizes of all parts. Times are milliseconds. */
export interface Scale {
  /** Metrics of the article's load, and the simulated minutes of it. */
  readonly metrics: number;
  readonly minutes: number;
  /** Minutes of it in the store that is measured and read. */
  readonly storeMinutes: number;
  /** Minutes of it for ways that are slower than a scrape, and reports of it for single points. */
  readonly rowMinutes: number;
  readonly singleTicks: number;
  /** The writer's pace while the event loop is watched. */
  readonly pointsPerSecond: number;
  /** The article's load over hours. */
  readonly hourMetrics: number;
  readonly hours: number;
  /** Other values, over minutes and over hours. */
  readonly kindMetrics: number;
  readonly kindHourMetrics: number;
  readonly kindHours: number;
  /** Metrics of a whole day. */
  readonly dayMetrics: number;
  readonly dayHours: number;
  /** Minutes and hours that are read in a round, and rounds. */
  readonly minuteReads: number;
  readonly hourReads: number;
  readonly readRounds: number;
  /** Reads of a process after the cache was dropped, and processes. */
  readonly coldReads: number;
  readonly coldHourReads: number;
  readonly coldProcesses: number;
  readonly scans: number;
  /** Hosts with 100 metrics each. */
  readonly hosts: number;
  readonly selections: number;
  /** Reports that are in the head when the process is killed. */
  readonly crashTicks: number;
  /** Questions across metrics. */
  readonly acrossMetrics: number;
  readonly acrossTicks: number;
  readonly acrossRounds: number;
  /** Stores of files whose blocks are all merged: metrics and hours of a point every 3 s; metrics and weeks of hourly points. */
  readonly blockMetrics: number;
  readonly blockHours: number;
  readonly sparseMetrics: number;
  readonly sparseWeeks: number;
  /** The history of sensors. */
  readonly backfillSensors: number;
  readonly backfillDays: number;
  readonly backfillEvery: number;
  /** Stores that are opened and closed: many metrics over a week. */
  readonly openMetrics: number;
  readonly openDays: number;
  readonly opens: number;
  /** The load of a writer beside readers. */
  readonly besideMetrics: number;
  readonly besideSeconds: number;
  /** The load that peers carry. */
  readonly peerMetrics: number;
  readonly peerMinutes: number;
  readonly peerReadMs: number;
}

export const FULL: Scale = {
  metrics: 120_000,
  minutes: 5,
  storeMinutes: 15,
  rowMinutes: 2,
  singleTicks: 10,
  pointsPerSecond: 2_000_000,
  hourMetrics: 12_000,
  hours: 5,
  kindMetrics: 12_000,
  kindHourMetrics: 1600,
  kindHours: 4,
  dayMetrics: 640,
  dayHours: 24,
  minuteReads: 20_000,
  hourReads: 4000,
  readRounds: 12,
  coldReads: 4000,
  coldHourReads: 250,
  coldProcesses: 9,
  scans: 40,
  hosts: 10_000,
  selections: 25,
  crashTicks: 40,
  acrossMetrics: 120_000,
  acrossTicks: 100,
  acrossRounds: 4,
  blockMetrics: 1000,
  blockHours: 6,
  sparseMetrics: 1000,
  sparseWeeks: 6,
  backfillSensors: 32,
  backfillDays: 60,
  backfillEvery: 10_000,
  openMetrics: 100_000,
  openDays: 7,
  opens: 5,
  besideMetrics: 20_000,
  besideSeconds: 10,
  peerMetrics: 40_000,
  peerMinutes: 5,
  peerReadMs: 1500,
};

export const QUICK: Scale = {
  metrics: 4000,
  minutes: 3,
  storeMinutes: 3,
  rowMinutes: 1,
  singleTicks: 4,
  pointsPerSecond: 500_000,
  hourMetrics: 160,
  hours: 2,
  kindMetrics: 160,
  kindHourMetrics: 160,
  kindHours: 1,
  dayMetrics: 160,
  dayHours: 3,
  minuteReads: 2000,
  hourReads: 200,
  readRounds: 3,
  coldReads: 200,
  coldHourReads: 20,
  coldProcesses: 1,
  scans: 20,
  hosts: 300,
  selections: 6,
  crashTicks: 20,
  acrossMetrics: 2000,
  acrossTicks: 40,
  acrossRounds: 2,
  blockMetrics: 100,
  blockHours: 3,
  sparseMetrics: 100,
  sparseWeeks: 3,
  backfillSensors: 4,
  backfillDays: 2,
  backfillEvery: 60_000,
  openMetrics: 1000,
  openDays: 1,
  opens: 2,
  besideMetrics: 400,
  besideSeconds: 1,
  peerMetrics: 800,
  peerMinutes: 2,
  peerReadMs: 200,
};
