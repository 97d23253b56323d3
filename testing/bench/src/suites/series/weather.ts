/**
 * Weather of Seattle and New York, published by NOAA (the National Oceanic and Atmospheric Administration of the United States). It is
 * in the public domain, as a work of the US government. The files come from the package vega-datasets.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageFolder } from "../../corpus/packages.js";

/** A file, the column that names places, if any, and the columns with numbers. */
const FILES = [
  { file: "weather.csv", place: "location", columns: ["precipitation", "temp_max", "temp_min", "wind"] },
  { file: "seattle-weather-hourly-normals.csv", place: undefined, columns: ["pressure", "temperature", "wind"] },
] as const;

/** Daily observations of two places, and hourly normals of one: 11 series of 1,461 or 8,759 numbers. */
export function weatherSeries(): Float64Array[] {
  const folder = join(packageFolder("vega-datasets"), "data");
  return FILES.flatMap(({ file, place, columns }) => {
    const rows = parseTable(readFileSync(join(folder, file), "utf8"));
    const places = place === undefined ? [undefined] : [...new Set(rows.map((row) => row.get(place)))];
    return places.flatMap((one) => {
      const own = place === undefined ? rows : rows.filter((row) => row.get(place) === one);
      return columns.map((column) => Float64Array.from(own, (row) => numberOf(file, row.get(column))));
    });
  });
}

/** Rows by the names of their columns. These files have no quoted cells. */
function parseTable(text: string): Map<string, string>[] {
  const [head, ...lines] = text.trim().split(/\r?\n/);
  const names = head!.split(",");
  return lines.map((line) => {
    const cells = line.split(",");
    return new Map(names.map((name, column) => [name, cells[column] ?? ""]));
  });
}

function numberOf(file: string, text: string | undefined): number {
  const value = text === undefined || text === "" ? Number.NaN : Number(text);
  if (Number.isNaN(value))
    throw new Error(`vega-datasets/data/${file} has ${JSON.stringify(text)} instead of a number`);
  return value;
}
