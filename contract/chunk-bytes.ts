// This file is separate from the upload schemas, so that browsers load only the numbers.

/** The size of every chunk except the last one, in bytes. `content_hash` hashes blocks of the same size. */
export const chunkBytes = 10_485_760

/** The last place in a batch of uploads, whose photos get times that are one millisecond apart. */
export const maxBatchIndex = 99_999
