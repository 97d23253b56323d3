// node child.mjs STUDY PART (smoke | full): measures one part of a study in this process and prints its figures as a
// line of JSON.
import { loadStudy } from "./list.mjs";

const [name, id] = process.argv.slice(2);
const { parts } = await loadStudy(name);
const figures = await parts.find((part) => part.id === id).run();
console.log(JSON.stringify(figures));
