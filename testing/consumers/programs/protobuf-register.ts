import "@moonpack/protobuf/register";

console.log("registered"); // registered
