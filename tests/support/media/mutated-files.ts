/** Small and fast; the same seed gives the same numbers. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32
  }
}

const extremes = [0x00, 0x01, 0x7f, 0x80, 0xff]

/** Yields `count` damaged versions: bytes and lengths are replaced, parts are repeated or left out, the end is cut. */
export function* mutate(file: Buffer, count: number, seed: number): Generator<Buffer<ArrayBuffer>, void> {
  const random = createRandom(seed)
  const below = (limit: number) => Math.floor(random() * limit)
  const mutations: Array<(bytes: Buffer) => Buffer> = [
    (bytes) => {
      for (let times = 1 + below(20); times > 0; times--) bytes[below(bytes.length)] = below(256)
      return bytes
    },
    (bytes) => {
      const at = below(Math.max(1, bytes.length - 8))
      bytes.fill(extremes[below(extremes.length)] ?? 0, at, at + 1 + below(8))
      return bytes
    },
    (bytes) => bytes.subarray(0, 1 + below(bytes.length)),
    (bytes) => {
      const [at, length] = [below(bytes.length), 1 + below(2000)]
      const part = bytes.subarray(at, at + length)
      return Buffer.concat([bytes.subarray(0, at), ...Array(1 + below(20)).fill(part), bytes.subarray(at)])
    },
    (bytes) => {
      const at = below(bytes.length)
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + below(200))])
    },
  ]
  for (let made = 0; made < count; made++) {
    // Headers are at the start, so most mutations hit the first kilobytes.
    const headBytes = Math.min(file.length, 4096)
    const isHead = random() < 0.7
    const [head, rest] = isHead ? [file.subarray(0, headBytes), file.subarray(headBytes)] : [file, Buffer.alloc(0)]
    const mutation = mutations[below(mutations.length)] ?? ((bytes: Buffer) => bytes)
    yield Buffer.from(Buffer.concat([mutation(Buffer.from(head)), rest]))
  }
}
