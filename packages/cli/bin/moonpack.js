#!/usr/bin/env node
// There before anything is built, so that an install can link it.
import "../dist/main.js";
