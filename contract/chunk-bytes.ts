// Apart from the shapes of uploads, so that browsers load the number alone.

/** The size of every chunk but the last; also that of the blocks of the content hash. */
export const chunkBytes = 10_485_760
