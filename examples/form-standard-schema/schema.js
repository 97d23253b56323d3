// One schema: it checks the form, checks the request, and lays out the bytes that are stored.
import { codec, enumeration, omitNull, schema, standard, u8, utf8 } from "@moonpack/pck";

const Signup = schema("Signup", utf8("name"), enumeration("plan", "free", "team"), omitNull(u8("seats")));

/** For forms and routers. */
export const signup = standard(Signup);
/** For files, queues and sockets. */
export const signups = codec(Signup);
