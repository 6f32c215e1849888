import { randomInt } from 'node:crypto'

/** Small letters and digits that nobody takes for one another, since guests type them on telephones. */
const characters = 'abcdefghjkmnpqrstuvwxyz23456789'

/** Three groups of four, 59 bits. */
export function newGalleryPassword(): string {
  const group = () => Array.from({ length: 4 }, () => characters[randomInt(characters.length)]).join('')
  return [group(), group(), group()].join('-')
}
