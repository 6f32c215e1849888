// This file is separate from the health schemas, so that browsers load only the numbers.

export const probeRangeBytes = 65_536

export const probePauseMs = 700
