/** Small letters and digits that nobody takes for one another: guests type them on telephones. */
const characters = 'abcdefghjkmnpqrstuvwxyz23456789'

/** Three groups of four, as the service makes them up. */
export function suggestPassword(): string {
  const group = () => Array.from({ length: 4 }, anyCharacter).join('')
  return [group(), group(), group()].join('-')
}

/** Numbers beyond the last whole round are drawn again, so that all characters are as likely. */
function anyCharacter(): string {
  const rounds = 256 - (256 % characters.length)
  for (;;) {
    const [drawn = 255] = crypto.getRandomValues(new Uint8Array(1))
    if (drawn < rounds) return characters[drawn % characters.length] as string
  }
}
