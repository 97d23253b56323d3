/** The functions of dates, in UTC. Their argument is in seconds since 1970. */

/** A day in the Gregorian calendar, also before and after the range of JavaScript's dates. */
interface Day {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

/** The days since 1970 and the seconds of the day. */
interface Time {
  readonly days: number;
  readonly ofDay: number;
}

const DAY_SECONDS = 86_400;
/** Days from 0000-03-01 to 1970-01-01. */
const EPOCH_DAYS = 719_468;
/** Days in 400 years. */
const ERA_DAYS = 146_097;
/** Days from the first year that Go knows, 292,277,022,400 years before 0000-03-01, to 1970. */
const GO_EPOCH_DAYS = 730_692_556 * ERA_DAYS + EPOCH_DAYS;

const OF_TIME: ReadonlyMap<string, (time: Time) => number> = /* @__PURE__ */ new Map([
  ["day_of_month", ({ days }) => dayOf(days).day],
  ["day_of_week", ({ days }) => (((days + 4) % 7) + 7) % 7],
  ["day_of_year", ({ days }) => days - daysTo({ year: dayOf(days).year, month: 1, day: 1 }) + 1],
  ["days_in_month", ({ days }) => daysInMonth(dayOf(days))],
  ["hour", ({ ofDay }) => Math.floor(ofDay / 3600)],
  ["minute", ({ ofDay }) => Math.floor((ofDay % 3600) / 60)],
  ["month", ({ days }) => dayOf(days).month],
  ["year", ({ days }) => dayOf(days).year],
]);

/** Returns the function of a name; undefined if there is none. */
export function dateFunctionOf(name: string): ((seconds: number) => number) | undefined {
  const fn = OF_TIME.get(name);
  return fn === undefined ? undefined : (seconds) => fn(timeOf(seconds));
}

/** Splits seconds. Values beyond 64 bits are the least one, as in Prometheus on amd64, and wrap around as times of Go do. */
function timeOf(seconds: number): Time {
  if (Math.abs(seconds) < 2 ** 53) {
    const whole = Math.trunc(seconds);
    const days = Math.floor(whole / DAY_SECONDS);
    return { days, ofDay: whole - days * DAY_SECONDS };
  }
  const whole = Math.abs(seconds) < 2 ** 63 ? BigInt(seconds) : -(1n << 63n);
  const absolute = BigInt.asUintN(64, whole + BigInt(GO_EPOCH_DAYS) * BigInt(DAY_SECONDS));
  return {
    days: Number(absolute / BigInt(DAY_SECONDS)) - GO_EPOCH_DAYS,
    ofDay: Number(absolute % BigInt(DAY_SECONDS)),
  };
}

/** Returns the date of a number of days since 1970. Years begin in March, so that leap days are last. */
function dayOf(days: number): Day {
  const shifted = days + EPOCH_DAYS;
  const era = Math.floor(shifted / ERA_DAYS);
  const ofEra = shifted - era * ERA_DAYS;
  const yearOfEra = Math.floor(
    (ofEra - Math.floor(ofEra / 1460) + Math.floor(ofEra / 36_524) - Math.floor(ofEra / 146_096)) / 365,
  );
  const ofYear = ofEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * ofYear + 2) / 153);
  const day = ofYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1;
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  return { year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day };
}

/** Returns the number of days from 1970 to a date. */
function daysTo({ year, month, day }: Day): number {
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const ofYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  const ofEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + ofYear;
  return era * ERA_DAYS + ofEra - EPOCH_DAYS;
}

function daysInMonth({ year, month }: Day): number {
  const next = month === 12 ? { year: year + 1, month: 1, day: 1 } : { year, month: month + 1, day: 1 };
  return daysTo(next) - daysTo({ year, month, day: 1 });
}
