import { type PackReader, readUvar } from "@moonpack/pck/runtime";

const read: (r: PackReader) => number = readUvar;
console.log(typeof read); // function
