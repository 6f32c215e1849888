// This file is separate from the upload schemas, so that browsers load only the number.

/** In bytes: the size of every chunk except the last one, and of the blocks of the content hash. */
export const chunkBytes = 10_485_760
