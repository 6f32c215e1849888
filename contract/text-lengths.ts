/** Limits in Unicode code points. This file has no schemas, so that browsers need not load typebox. */
export const maxCommentLength = 1000
export const maxGuestNameLength = 100
export const maxNoteLength = 2000
