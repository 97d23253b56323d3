/** The examples of the format's page, as it writes them. */
import type { LogRecord } from "./log-record.ts";
import type { Metric } from "./metric.ts";
import type { Page } from "./page.ts";
import type { Values } from "./values.ts";

export const metricExample: { name: string; metric: Metric; hex: string } = {
  name: "cpu{host=a1}",
  metric: { name: "cpu", tags: [["host", "a1"]] },
  hex: "03 637075  01  04 686f7374 02 6131",
};

export const timeExamples: readonly { name: string; times: readonly number[]; hex: string }[] = [
  { name: "times 0 3000 6000", times: [0, 3000, 6000], hex: "00 03 00 b817" },
  { name: "times 0 1000 3000 4000", times: [0, 1000, 3000, 4000], hex: "01 04 00 e807 05 1b" },
  { name: "times 0 1003 1999 3001 4002", times: [0, 1003, 1999, 3001, 4002], hex: "02 05 00 01 c80f 03 870b" },
  {
    name: "times 0 50000 .10 .20 .29 .39",
    times: [0, 50000, 50010, 50020, 50029, 50039],
    hex: "03 06 00 01 d08603 4f97a75e00",
  },
];

export const valueExamples: readonly ({ name: string; hex: string } & Values)[] = [
  { name: "42 42 42", floats: [42, 42, 42], hex: "00 54" },
  { name: "0 0 0 7 7 7 7", floats: [0, 0, 0, 7, 7, 7, 7], hex: "01 0002 0e03" },
  { name: "500 497 503 501", floats: [500, 497, 503, 501], hex: "02 e207 03 8309" },
  { name: "1000000 ..17 ..33 ..52", floats: [1000000, 1000017, 1000033, 1000052], hex: "03 80897a 20 02 31" },
  { name: "21.5 21.51 21.49", floats: [21.5, 21.51, 21.49], hex: "0a 02 ca21 02 09" },
  { name: "fround(.1) fround(.3)", floats: [Math.fround(0.1), Math.fround(0.3)], hex: "0a 11 02 02 08" },
  { name: "0.1+0.2 0.4", floats: [0.1 + 0.2, 0.4], hex: "0a 21 06 01 02  00 01 01" },
  { name: "1 NaN 2", floats: [1, Number.NaN, 2], hex: "0a 40 02 01 04  01 01 00" },
  { name: "PI E", floats: [Math.PI, Math.E], hex: "04 182d4454fb210940 34 00 717a50dff19e0c" },
  { name: "int64 -3 4 1", int64s: [-3n, 4n, 1n], hex: "12 05 03 38 01" },
  {
    name: "int64 2^60 +10 +25",
    int64s: [2n ** 60n, 2n ** 60n + 10n, 2n ** 60n + 25n],
    hex: "15 0000000000000010 14 03 28",
  },
];

export const pageExample: { name: string; page: Page; key: string; hex: string } = {
  name: "page of minute 28333333",
  page: {
    minute: 28_333_333,
    span: 1,
    group: 2,
    slots: [
      { slot: 0, times: [0, 30_000], floats: [5, 9] },
      { slot: 1, times: [0, 30_000], floats: [7, 7] },
      { slot: 3, times: [12_345], floats: [0.5] },
    ],
  },
  key: "0afa 00000002 2155",
  hex: "01 01 0b00 02  00 02 00 b0ea01  00 01 b960  00 02 0a 03 20  00 00 0e  01 08 01 0a  e5645e27",
};

export const logExample: { name: string; number: number; record: LogRecord; hex: string } = {
  name: "log record 1: ids 32 and 33 at 1.7e12: 5, 7",
  number: 1,
  record: { points: { ids: [32, 33], times: [1.7e12, 1.7e12], floats: [5, 7] } },
  hex: "14000000 56ba6f36 01000000 02 00 00 02  02000000 20000000 00008056febc7842 0500 0700 00000000",
};
