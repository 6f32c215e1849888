import { lerp } from './numbers.ts'
import type { Frame } from './scene.ts'

export const between = ({ random }: Frame, from: number, to: number) => lerp(from, to, random())

export const pickOne = <T>({ random }: Frame, list: readonly T[]) => list[Math.floor(random() * list.length)] as T
