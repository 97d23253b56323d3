/**
 * Domestic flights in the USA, as the Bureau of Transportation Statistics published them: short fields, half of them numbers. The file
 * comes from the package vega-datasets.
 */
import { stored } from "@moonpack/hazelcast";
import { array, ivar, REF, schema, utf8, uvar } from "@moonpack/pck";
import type { CompactReader, CompactSerializer, CompactWriter } from "hazelcast-client";
import { PackageFiles } from "../../../corpus/packages.js";
import type { Kind } from "./kind.js";

const Flight = schema("Flight", utf8("date"), ivar("delay"), uvar("distance"), utf8("origin"), utf8("destination"));

class StoredFlights extends stored(1002, schema("Flights", array("items", REF(Flight)))) {}

/** A flight as the client's compact format reads and writes it. */
class CompactFlight {
  date: string | null = null;
  delay = 0;
  distance = 0;
  origin: string | null = null;
  destination: string | null = null;
}

class CompactFlights {
  items: (CompactFlight | null)[] | null = null;
}

const flightSerializer: CompactSerializer<CompactFlight> = {
  getClass: () => CompactFlight,
  getTypeName: () => "Flight",
  read(reader: CompactReader) {
    const flight = new CompactFlight();
    flight.date = reader.readString("date");
    flight.delay = reader.readInt32("delay");
    flight.distance = reader.readInt32("distance");
    flight.origin = reader.readString("origin");
    flight.destination = reader.readString("destination");
    return flight;
  },
  write(writer: CompactWriter, flight: CompactFlight) {
    writer.writeString("date", flight.date);
    writer.writeInt32("delay", flight.delay);
    writer.writeInt32("distance", flight.distance);
    writer.writeString("origin", flight.origin);
    writer.writeString("destination", flight.destination);
  },
};

const listSerializer: CompactSerializer<CompactFlights> = {
  getClass: () => CompactFlights,
  getTypeName: () => "Flights",
  read(reader: CompactReader) {
    const list = new CompactFlights();
    list.items = reader.readArrayOfCompact("items");
    return list;
  },
  write(writer: CompactWriter, list: CompactFlights) {
    writer.writeArrayOfCompact("items", list.items);
  },
};

export const flights: Kind = {
  id: "flights",
  title: "flights (record-like)",
  records: () => new PackageFiles().read("vega-datasets", "data/flights-20k.json") as unknown as object[],
  Stored: StoredFlights,
  compact: { serializers: [listSerializer, flightSerializer] },
  toCompact({ items }) {
    const list = new CompactFlights();
    list.items = items.map((flight) => Object.assign(new CompactFlight(), flight));
    return list;
  },
};
