// node dist/send.js PLACE CELSIUS WIND SKY: sends a report, and prints all reports.
import { fetchReports, sendReport } from "./client.js";
import type { Report } from "./generated/weather.js";

const [place = "", celsius, wind, sky] = process.argv.slice(2);
const server = "http://127.0.0.1:8080";

try {
  await sendReport(server, {
    place,
    time: Math.floor(Date.now() / 1000),
    celsius: Number(celsius),
    wind: Number(wind),
    sky: sky as Report["sky"], // encoding throws an error for any other text
    source: "sensor",
    warnings: [],
  });
  for (const report of await fetchReports(server))
    console.log(report.place, report.celsius, report.sky, report.source, ...report.warnings);
} catch (error) {
  console.error(String(error));
  process.exitCode = 1;
}
