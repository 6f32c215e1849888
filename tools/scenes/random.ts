import { lerp } from './numbers.ts'
import type { Frame } from './scene.ts'

export const randomBetween = ({ random }: Frame, from: number, to: number) => lerp(from, to, random())

export const pickRandom = <T>({ random }: Frame, list: readonly T[]) => list[Math.floor(random() * list.length)] as T
