/** How much guests may write, in characters as people count them (code points). Free of schemas, for browsers to load. */
export const maxCommentLength = 1000
export const maxGuestNameLength = 100
export const maxNoteLength = 2000
