// V8's own functions about values, for processes started with --allow-natives-syntax. The syntax is not valid
// JavaScript, so the
// functions are strings that are compiled on first use: programs that only read a study's description run without the
// flag.

function native(body) {
  let ask;
  return (a, b) => (ask ??= new Function("a", "b", `return ${body};`))(a, b);
}

export const hasFastProperties = native("%HasFastProperties(a)");
export const haveSameMap = native("%HaveSameMap(a, b)");
export const isInternalized = native("%IsInternalizedString(a)");

const KINDS = [
  ["dictionary", native("%HasDictionaryElements(a)")],
  ["integers", native("%HasSmiElements(a)")],
  ["doubles", native("%HasDoubleElements(a)")],
  ["anything", native("%HasObjectElements(a)")],
];
const isHoley = native("%HasHoleyElements(a)");

/** The kind of an array's elements in V8, for example "packed integers". */
export function elementsKind(array) {
  const [name] = KINDS.find(([, holds]) => holds(array));
  return name === "dictionary" ? name : `${isHoley(array) ? "holey" : "packed"} ${name}`;
}
