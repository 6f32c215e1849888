import { bokeh, discPaints, scattered } from './bokeh.ts'
import { blend, mix } from './colors.ts'
import { fractal, makeNoise } from './noise.ts'
import { smoothstep, times } from './numbers.ts'
import { pickPalette } from './palettes.ts'
import { pickRandom, randomBetween } from './random.ts'
import type { Frame, Layer, Shader } from './scene.ts'
import { css, ellipse, shape } from './svg.ts'

const { abs, exp, floor } = Math

export function city(frame: Frame): Layer[] {
  const { width, height, random } = frame
  const { top, low, block, water, ...hues } = pickPalette(
    frame,
    'top low block water amber pale red blue white',
    `0c1430 d08a72 0c1020 0a1428 ffb050 ffe0a8 ff5a48 7ad0e0 fff4e0
     101838 6a88c0 0a0e1c 0c1830 ffc470 ffe8c0 ff7a90 90a8ff fff8f0
     180c28 f09878 140a1c 140c24 ff9a50 ffd090 ff4a70 a070ff ffe8d0`,
  )
  const lights = Object.values(hues)
  const shore = height * randomBetween(frame, 0.56, 0.68)
  const noise = makeNoise(frame)
  const paint: Shader = (x, y, out) => {
    const away = abs(y - shore) / shore
    blend(out, top, 1)
    blend(out, low, exp(-away * 3.6) * 0.9)
    blend(out, hues.pale, 0.22 * smoothstep(0.45, 0.8, fractal(noise, x / 330, y / 60, 4)) * exp(-away * 3))
    if (y > shore) blend(out, water, 0.45 + 0.4 * smoothstep(0, height - shore, y - shore))
  }
  const towers = times(26, () => {
    return {
      x: randomBetween(frame, -0.05, 1) * width,
      wide: randomBetween(frame, 40, 110),
      tall: 60 + 330 * random() ** 2.2,
    }
  })
  const blocks = towers.map(({ x, wide, tall }) => {
    const tower = shape(`M${x} ${shore}v${-tall}h${wide}v${tall}z`, css(mix(block, low, random() * 0.25)))
    return tower + shape(`M${x} ${shore}v${tall}h${wide}v${-tall}z`, css(block), 0.5)
  })
  const windows = times(170, () => {
    const { x, wide, tall } = pickRandom(frame, towers)
    return { x: x + wide * random(), y: shore - tall * random() ** 1.2, radius: randomBetween(frame, 8, 19) }
  })
  const quay = times(50, () => ({
    x: random() * width,
    y: shore - 36 * random(),
    radius: randomBetween(frame, 15, 34),
  }))
  const streaks = times(100, () => {
    const { x, y } = pickRandom(frame, random() < 0.6 ? quay : windows)
    const [paint, reflectedY] = [
      `url(#d${floor(random() * lights.length)})`,
      2 * shore - y + randomBetween(frame, 40, 170),
    ]
    return ellipse(
      x,
      reflectedY,
      randomBetween(frame, 7, 20),
      randomBetween(frame, 60, 190),
      paint,
      randomBetween(frame, 0.15, 0.5),
    )
  })
  return [
    { detail: 0.3, paint },
    { blur: 9, light: false, svg: blocks.join('') },
    bokeh(frame, lights, 0.75, windows),
    { blur: 7, light: true, svg: discPaints(lights, 0.5).concat(streaks).join('') },
    bokeh(frame, lights, 1, quay),
    bokeh(frame, lights, 0.35, scattered(frame, 14, 0.55, 40, 95)),
  ]
}
