/** Without i, l, o, 0 and 1, which look alike: guests type passwords on phones. */
const characters = 'abcdefghjkmnpqrstuvwxyz23456789'

/** Returns three groups of four characters, like passwords that the server generates. */
export function suggestPassword(): string {
  const group = () => Array.from({ length: 4 }, randomCharacter).join('')
  return [group(), group(), group()].join('-')
}

/** Uses only bytes below a multiple of the number of characters, so that all characters are equally likely. */
function randomCharacter(): string {
  const largestMultiple = 256 - (256 % characters.length)
  for (;;) {
    const [drawn = 255] = crypto.getRandomValues(new Uint8Array(1))
    if (drawn < largestMultiple) return characters[drawn % characters.length] as string
  }
}
