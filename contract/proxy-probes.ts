// Apart from the shapes of health, so that browsers load the numbers alone.

/** The size of the file of which ranges are asked for a trial. */
export const probeRangeBytes = 65_536

/** Between the two events of a trial. */
export const probePauseMs = 700
