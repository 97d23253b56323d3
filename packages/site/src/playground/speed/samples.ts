// Messages of ours to measure, loaded when they are taken.

/** A sample, and its name. */
export interface Sample {
  readonly title: string;
  readonly text: () => Promise<string>;
}

/** The samples. */
export const SAMPLES: readonly Sample[] = [
  {
    title: "One of each kind",
    text: async () => JSON.stringify((await import("../../../../../data/small-mixed.json")).default, null, 2),
  },
  {
    title: "Distances",
    text: async () =>
      JSON.stringify((await import("../../../../../data/google-maps-distance-matrix.json")).default, null, 2),
  },
  {
    title: "A clinical record",
    text: async () => JSON.stringify((await import("../../../../../data/clinical.json")).default, null, 2),
  },
  {
    title: "500 news stories",
    text: async () =>
      (await import("../../../../../data/hn-top-stories.json")).default.map((one) => JSON.stringify(one)).join("\n"),
  },
];
