// This file is separate from the upload schemas, so that browsers load only the number.

/** The size of every chunk except the last one, in bytes. `content_hash` hashes blocks of the same size. */
export const chunkBytes = 10_485_760
