import { randomInt } from 'node:crypto'

/** Without characters that look alike, because guests type passwords on phones. */
const characters = 'abcdefghjkmnpqrstuvwxyz23456789'

/** Three groups of four characters, 59 bits. */
export function generateGalleryPassword(): string {
  const group = () => Array.from({ length: 4 }, () => characters[randomInt(characters.length)]).join('')
  return [group(), group(), group()].join('-')
}
