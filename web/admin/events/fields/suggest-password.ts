/** Without characters that look alike, because guests type passwords on phones. */
const characters = 'abcdefghjkmnpqrstuvwxyz23456789'

/** Like passwords that the server generates. */
export function suggestPassword(): string {
  const group = () => Array.from({ length: 4 }, randomCharacter).join('')
  return [group(), group(), group()].join('-')
}

/** Discards bytes of the incomplete last range, so that all characters are equally likely. */
function randomCharacter(): string {
  const rounds = 256 - (256 % characters.length)
  for (;;) {
    const [drawn = 255] = crypto.getRandomValues(new Uint8Array(1))
    if (drawn < rounds) return characters[drawn % characters.length] as string
  }
}
