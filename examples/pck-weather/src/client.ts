// Sends and fetches reports for the page and the command, with emitted code: no schema at run time.
import { decodeWeather, encodeWeatherInto, type Report, sizeWeather } from "./generated/weather.js";

/** The output of `npx @moonpack/cli fingerprint src/weather.ts`: these eight bytes precede each message. */
const FINGERPRINT = "22a7441f447fd548";

/** Fetches all reports of the server. */
export async function fetchReports(server: string): Promise<Report[]> {
  const response = await fetch(`${server}/weather`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (hex(bytes.subarray(0, 8)) !== FINGERPRINT) throw new Error("the server is newer: load the page again");
  return decodeWeather(bytes.subarray(8)).reports;
}

/** Sends one report. */
export async function sendReport(server: string, report: Report): Promise<void> {
  const message = { reports: [report] };
  const body = new Uint8Array(8 + sizeWeather(message));
  for (let i = 0; i < 8; i++) body[i] = Number.parseInt(FINGERPRINT.slice(2 * i, 2 * i + 2), 16);
  encodeWeatherInto(message, body, 8);
  const response = await fetch(`${server}/weather`, { method: "POST", body });
  if (!response.ok) throw new Error(await response.text());
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
