import { blossom } from './blossom.ts'
import { city } from './city.ts'
import { dunes } from './dunes.ts'
import { fairyLights } from './fairy-lights.ts'
import { forest } from './forest.ts'
import { lake } from './lake.ts'
import { meadow } from './meadow.ts'
import { mountains } from './mountains.ts'
import { night } from './night.ts'
import { petals } from './petals.ts'
import { sea } from './sea.ts'
import { silk } from './silk.ts'

/** Neighboring scenes are visually different. Each returns the layers of one picture, the lowest first. */
export const scenes = [fairyLights, mountains, petals, sea, meadow, silk, forest, blossom, city, lake, dunes, night]
