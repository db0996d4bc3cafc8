// Loaded into each run of the generator: writes the most memory that it ever held, in KiB, where the
// one that measures it reads it.

import { writeSync } from 'node:fs'

process.on('exit', () => writeSync(3, `${process.resourceUsage().maxRSS}`))
