import { encode } from 'uqr'

/** The empty border that the QR standard requires, in modules (the squares of the code). */
const quietZone = 4

/** Returns the dark modules as an SVG path. One module is one unit of the path and of `size`. */
export function createQrCodePath(text: string): { size: number; path: string } {
  const { data, size } = encode(text, { ecc: 'M', border: quietZone })
  const squares = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
  return { size, path: squares.join('') }
}
