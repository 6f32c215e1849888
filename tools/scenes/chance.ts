import { lerp } from './numbers.ts'
import type { Frame } from './scene.ts'

/** A random number in the range. */
export const between = ({ random }: Frame, from: number, to: number) => lerp(from, to, random())

/** A random one of the list. */
export const pickOne = <T>({ random }: Frame, list: readonly T[]) => list[Math.floor(random() * list.length)] as T
