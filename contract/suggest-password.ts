/** Without i, l, o and q, which look like other characters. Digits are on another layer of the keyboards of phones. */
const letters = 'abcdefghjkmnprstuvwxyz'

/**
 * Returns a gallery password that is easy to type on a phone: two groups of six lower-case letters. Each of the 12 letters
 * is one of 22, so the entropy is 12 × log2(22) = 53.5 bits. The hyphen adds none; it only makes the groups readable.
 */
export function suggestPassword(): string {
  const group = () => Array.from({ length: 6 }, randomLetter).join('')
  return `${group()}-${group()}`
}

/** Uses only bytes below a multiple of the number of letters, so that all letters are equally likely. */
function randomLetter(): string {
  const largestMultiple = 256 - (256 % letters.length)
  for (;;) {
    const [drawn = 255] = crypto.getRandomValues(new Uint8Array(1))
    if (drawn < largestMultiple) return letters[drawn % letters.length] as string
  }
}
