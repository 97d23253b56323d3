// The page: a list of reports, and a form that sends one.
import { fetchReports, sendReport } from "./client.js";
import type { Report } from "./generated/weather.js";

const list = document.querySelector("ul")!;
const form = document.querySelector("form")!;
const status = document.querySelector("output")!;

function itemOf({ place, celsius, wind, sky, warnings }: Report): HTMLElement {
  const item = document.createElement("li");
  item.textContent = [`${place}: ${celsius} °C, ${sky}, wind ${wind} km/h`, ...warnings].join("; ");
  return item;
}

async function show(): Promise<void> {
  list.replaceChildren(...(await fetchReports("")).map(itemOf));
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const given = new FormData(form);
  try {
    await sendReport("", {
      place: String(given.get("place")),
      time: Math.floor(Date.now() / 1000),
      celsius: Number(given.get("celsius")),
      wind: Number(given.get("wind")),
      sky: given.get("sky") as Report["sky"],
      source: "person",
      warnings: [],
    });
    await show();
    status.textContent = "sent";
  } catch (error) {
    status.textContent = String(error); // a value that its field cannot hold, with its path; or the server's error
  }
});

await show();
