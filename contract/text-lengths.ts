/** How much guests may write, in characters as people count them (code points). Free of schemas, for browsers to load. */
export const longestComment = 1000
export const longestGuestName = 100
export const longestNote = 2000
