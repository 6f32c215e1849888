import { encode } from 'uqr'

/** As the standard wants it around the code. */
const quietZone = 4

/** The dark squares as the path of a picture, in units of one square. */
export function drawQrCode(text: string): { size: number; path: string } {
  const { data, size } = encode(text, { ecc: 'M', border: quietZone })
  const squares = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
  return { size, path: squares.join('') }
}
