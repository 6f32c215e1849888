import { mountainLand } from './mountain-land.ts'
import type { Frame, Layer } from './scene.ts'

export const mountains = (frame: Frame): Layer[] => [{ detail: 0.75, paint: mountainLand(frame, false).land }]
