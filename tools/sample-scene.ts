/** Red, green and blue, each 0 to 1. */
type Colour = { r: number; g: number; b: number }
/** Paints one point of the picture into `out`; x and y in units (the short edge of every picture is 1000 units). */
type Shader = (x: number, y: number, out: Colour) => void
/**
 * One layer of a scene: either a shader, run at `detail` (0 to 1) of the full resolution, or SVG elements in units,
 * out of focus by `blur` units. A `light` layer adds to what is below as light does, any other covers it.
 */
export type Layer = { detail: number; paint: Shader } | { blur: number; light: boolean; svg: string }
/** The sheet a scene is made for: its size in units, and the only source of chance. */
export type Frame = { width: number; height: number; random: () => number }

const { abs, atan2, cos, exp, floor, hypot, max, min, PI, sin, sqrt } = Math
const clamp = (value: number) => max(0, min(1, value))
const lerp = (from: number, to: number, share: number) => from + (to - from) * share
const between = ({ random }: Frame, from: number, to: number) => lerp(from, to, random())
const pickOne = <T>({ random }: Frame, list: readonly T[]) => list[floor(random() * list.length)] as T
const times = <T>(count: number, make: (at: number) => T) => Array.from({ length: floor(count) }, (_, at) => make(at))

function smooth(from: number, to: number, value: number): number {
  const share = clamp((value - from) / (to - from))
  return share * share * (3 - 2 * share)
}

type Words<Text> = Text extends `${infer First} ${infer Rest}` ? First | Words<Rest> : Text

/** A random one of the palettes (one a line, hex colours), its colours by name. */
function pickPalette<Names extends string>(frame: Frame, names: Names, palettes: string) {
  const hexes = pickOne(frame, palettes.trim().split('\n')).trim().split(' ')
  const part = (hex: string, at: number) => Number.parseInt(hex.slice(at, at + 2), 16) / 255
  const colours = hexes.map((hex) => ({ r: part(hex, 0), g: part(hex, 2), b: part(hex, 4) }))
  return Object.fromEntries(names.split(' ').map((name, at) => [name, colours[at]])) as Record<Words<Names>, Colour>
}

function cover(out: Colour, colour: Colour, share: number): Colour {
  out.r += (colour.r - out.r) * share
  out.g += (colour.g - out.g) * share
  out.b += (colour.b - out.b) * share
  return out
}

function glow(out: Colour, light: Colour, share: number): void {
  const amount = min(1, share)
  out.r += (1 - out.r) * light.r * amount
  out.g += (1 - out.g) * light.g * amount
  out.b += (1 - out.b) * light.b * amount
}

const black: Colour = { r: 0, g: 0, b: 0 }
const shade = (out: Colour, factor: number) => cover(out, black, 1 - factor)
const mix = (from: Colour, to: Colour, share: number) => cover({ ...from }, to, share)

type Noise = (x: number, y: number) => number

/** Smooth noise from 0 to 1 with one bump per unit; at whole numbers it is simply a random number. */
function makeNoise({ random }: Frame): Noise {
  const lattice = Float32Array.from({ length: 65536 }, random)
  const at = (column: number, row: number) => lattice[(column & 255) | ((row & 255) << 8)] as number
  return (x, y) => {
    const column = floor(x)
    const row = floor(y)
    const across = smooth(column, column + 1, x)
    const top = lerp(at(column, row), at(column + 1, row), across)
    const bottom = lerp(at(column, row + 1), at(column + 1, row + 1), across)
    return lerp(top, bottom, smooth(row, row + 1, y))
  }
}

/** Noise with finer and finer detail; every octave is turned against the one before so that no grid shows. */
function fractal(noise: Noise, startX: number, startY: number, octaves: number): number {
  let [x, y, sum, weight] = [startX, startY, 0, 0.5]
  for (let octave = 0; octave < octaves; octave++) {
    sum += weight * noise(x, y)
    weight /= 2
    const turned = x * 1.6 + y * 1.2 + 17.3
    y = y * 1.6 - x * 1.2 + 5.7
    x = turned
  }
  return sum / (1 - weight * 2)
}

type SkyColours = Record<'zenith' | 'middle' | 'low' | 'sun' | 'cloud' | 'shadow', Colour>
/** `clouds`: 0 none, 1 many. */
type Sky = SkyColours & { sunX: number; sunY: number; horizon: number; clouds: number; noise: Noise }

const cloudAt = ({ noise, horizon }: Sky, x: number, y: number, octaves: number) =>
  fractal(noise, x / 380, (y * (1 + (2.2 * y) / horizon)) / 150, octaves)

function paintSky(sky: Sky, x: number, y: number, out: Colour): void {
  const share = clamp(y / sky.horizon)
  cover(out, sky.zenith, 1)
  cover(out, sky.middle, smooth(0, 0.62, share))
  cover(out, sky.low, smooth(0.5, 1, share))
  const distance = hypot(x - sky.sunX, (y - sky.sunY) * 1.15)
  glow(out, sky.sun, 0.5 * exp(-distance / 260))
  const amount = sky.clouds && smooth(0.62, 0.88, cloudAt(sky, x, y, 5) + sky.clouds * 0.23)
  if (amount > 0) {
    // A cloud is bright where it gets thinner towards the sun.
    const sunward = cloudAt(sky, lerp(x, sky.sunX, 0.06), lerp(y, sky.sunY, 0.12), 3)
    const bright = clamp(0.5 + (cloudAt(sky, x, y, 3) - sunward) * 2.6 + 0.5 * exp(-distance / 300))
    cover(out, sky.shadow, amount * 0.75 * (1 - bright))
    cover(out, sky.cloud, amount * 0.85 * bright * (1 - 0.5 * smooth(0.8, 1, share)))
  }
  glow(out, sky.sun, 1.25 * exp(-distance / 42))
}

/** The upper edge of a silhouette: its y for every half unit of x. */
type Ridge = Float32Array
const ridgeAt = (ridge: Ridge, x: number) => ridge[max(0, min(ridge.length - 1, floor(x * 2)))] as number

function makeRidge(frame: Frame, noise: Noise, top: number, tall: number, wide: number, rough: number): Ridge {
  const offset = frame.random() * 200
  return Float32Array.from({ length: floor(frame.width * 2) + 2 }, (_, column) => {
    const x = column / 2 / wide + offset
    const peaks = abs(2 * fractal(noise, x, offset, 3) - 1) - 0.5
    return top + tall * (peaks - rough * (fractal(noise, x * 7, offset + 9, 5) - 0.5))
  })
}

function plantConifers(frame: Frame, ridge: Ridge, count: number, tall: number): Ridge {
  const grown = ridge.slice()
  for (let tree = 0; tree < count; tree++) {
    const centre = floor(frame.random() * ridge.length)
    const height = tall * between(frame, 0.35, 1) ** 1.3
    const half = height * between(frame, 0.3, 0.42)
    for (let column = max(0, floor(centre - half)); column < min(ridge.length, centre + half); column++) {
      const out = abs(column - centre) / half
      const top = (ridge[centre] as number) - height * (1 - out ** 0.8 - 0.22 * frame.random() * out)
      grown[column] = min(grown[column] as number, top)
    }
  }
  return grown
}

/**
 * Paints silhouettes (far ones first) on what `behind` paints. `paint` gets the share of the point that is covered.
 * Starts at the nearest one that hides all the others, which saves most of the work.
 */
function paintStack<Piece extends { edge: Ridge }>(
  pieces: Piece[],
  behind: Shader,
  paint: (piece: Piece, solid: number, x: number, y: number, out: Colour) => void,
): Shader {
  return (x, y, out) => {
    let index = pieces.length - 1
    while (index >= 0 && y < ridgeAt((pieces[index] as Piece).edge, x) + 2) index--
    if (index < 0) behind(x, y, out)
    for (index = max(0, index); index < pieces.length; index++) {
      const piece = pieces[index] as Piece
      const above = y - ridgeAt(piece.edge, x)
      if (above > 0) paint(piece, min(1, above / 1.5), x, y, out)
    }
  }
}

function mountainRanges(frame: Frame, sky: Sky, near: Colour, top: number, bottom: number, wooded: boolean): Shader {
  const count = floor(between(frame, 4, 7))
  const ranges = times(count, (index) => {
    const share = index / (count - 1)
    const tall = lerp(300, 130, share) * between(frame, 0.8, 1.1) * (1.5 - count * 0.07)
    const y = lerp(top, bottom, share ** 0.9)
    const ridge = makeRidge(frame, sky.noise, y, tall, lerp(360, 520, share), lerp(0.42, 0.16, share))
    const edge = wooded && share > 0.4 ? plantConifers(frame, ridge, share * 850, lerp(8, 74, share ** 2.5)) : ridge
    return { ridge, edge, colour: mix(mix(sky.low, sky.zenith, 0.34), near, share ** 1.15), share }
  })
  const behind: Shader = (x, y, out) => paintSky(sky, x, y, out)
  return paintStack(ranges, behind, ({ ridge, colour, share }, solid, x, y, out) => {
    const below = y - ridgeAt(ridge, x)
    const rock = below > 0 ? fractal(sky.noise, (x + y * 0.4) / 120, (y - x * 0.12) / 52, 5) - 0.5 : 0
    cover(out, colour, solid)
    shade(out, 1 + rock * lerp(0.34, 0.1, share))
    cover(out, sky.low, lerp(0.85, 0.55, share) * smooth(0, 240, below + rock * 70))
    glow(out, sky.sun, 0.22 * exp(-hypot(x - sky.sunX, y - sky.sunY) / 300))
  })
}

/** What is above `waterY`, and its reflection in gently rippled water below. */
function mirrored(shader: Shader, waterY: number, noise: Noise, tint: Colour): Shader {
  return (x, y, out) => {
    if (y < waterY) return shader(x, y, out)
    const depth = y - waterY
    const far = 1000 / (depth + 12)
    const ripple = fractal(noise, (x * far) / 900, far * 9, 3) - 0.5
    shader(x + ripple * min(12, depth * 0.12), waterY - depth * 0.96 + ripple * min(60, depth * 0.35), out)
    cover(out, tint, 0.16 + 0.3 * smooth(0, 500, depth))
    glow(out, tint, 0.25 * clamp(1 - depth / 3))
  }
}

function mountainView(frame: Frame, isLake: boolean): Layer[] {
  const palette = pickPalette(
    frame,
    'zenith middle low sun cloud shadow near',
    `5d7fa8 a9b9cc f3d9c0 ffe3b5 fff0dc 8d9db5 14202e
     31456e 8c7fa6 f5b796 ffd7a0 ffcdb0 6a6288 1a1830
     6fa0c8 b4d0de eef0e4 fff6dc ffffff a4b4c4 123036
     46536b 9aa3ae dfd9cf fff2da f4ece2 858d99 1b2422
     6a5a86 d89a9a ffdcb0 ffe2b0 ffd8c0 8a7090 2a1a2c`,
  )
  const noise = makeNoise(frame)
  const waterY = frame.height * (isLake ? between(frame, 0.52, 0.62) : 1)
  const [sunX, sunY] = [frame.width * between(frame, 0.2, 0.8), waterY * between(frame, 0.18, 0.32)]
  const horizon = waterY * (isLake ? 1 : 0.5)
  const sky = { ...palette, sunX, sunY, horizon, clouds: between(frame, 0.1, 0.9), noise }
  const [top, bottom] = isLake ? [0.62, 0.985] : [0.42, 0.93]
  const isWooded = isLake || frame.random() < 0.7
  const land = mountainRanges(frame, sky, palette.near, waterY * top, waterY * bottom, isWooded)
  return [{ detail: 0.75, paint: mirrored(land, waterY, noise, mix(palette.near, palette.zenith, 0.4)) }]
}

const mountains = (frame: Frame) => mountainView(frame, false)
const lake = (frame: Frame) => mountainView(frame, true)

function sea(frame: Frame): Layer[] {
  const { width, height } = frame
  const palette = pickPalette(
    frame,
    'zenith middle low sun cloud shadow deep',
    `3c5a88 d99a7c ffcf8a ffdf9e ffc98f 6d5a78 123048
     28305e b56a86 ffb08a ffc790 ff9f8a 4a3a68 1c2348
     6f9cc4 b9d2de f6ead2 fff4d8 ffffff 9fb2c4 1d5a70
     1f3a50 7a8a90 f0c08a ffe0a8 f0c8a0 3c4a58 0d2430`,
  )
  const noise = makeNoise(frame)
  const horizon = floor(height * between(frame, 0.4, 0.58))
  const [sunX, sunY] = [width * between(frame, 0.25, 0.75), horizon - between(frame, 40, 170)]
  const sky = { ...palette, sunX, sunY, horizon, clouds: between(frame, 0.35, 1), noise }
  const clear = { ...sky, clouds: 0 }
  const cape = makeRidge(frame, noise, horizon + 10, between(frame, 30, 90), 700, 0.3)
  const distant = mix(palette.low, palette.deep, 0.55)
  const paint: Shader = (x, y, out) => {
    const depth = y - horizon
    if (depth < 0) {
      paintSky(sky, x, y, out)
      cover(out, distant, 0.8 * clamp((y - ridgeAt(cape, x)) / 1.5))
      return
    }
    const far = 1000 / (depth + 9)
    const along = ((x - width / 2) * far) / 240
    const swell = fractal(noise, along * 0.35, far * 5, 3) - 0.5
    const chop = fractal(noise, along * 1.6, far * 26 + swell * 3, 3)
    const tilt = swell * 0.8 + chop - 0.5
    paintSky(clear, x + tilt * 60, horizon - 6 - depth * 0.5 - abs(tilt) * 160, out)
    cover(out, palette.deep, clamp(0.2 + 0.62 * smooth(0, height * 0.4, depth) + tilt * 0.5))
    const aside = ((x - sunX) / (34 + depth * 0.34)) ** 2
    const glitter = exp(-aside) * (0.22 + 1.3 * smooth(0.5, 0.72, chop))
    glow(out, palette.sun, glitter + exp(-aside / 9) * 0.8 * smooth(0.6, 0.8, chop))
    cover(out, palette.low, 0.5 * exp(-depth / 14))
  }
  return [{ detail: 0.75, paint }]
}

function dunes(frame: Frame): Layer[] {
  const { width, height } = frame
  const palette = pickPalette(
    frame,
    'zenith middle low sun cloud shadow lit sand dark',
    `3f6fa8 9cc0d8 f2e2c8 fff0d0 ffffff c0c8d0 f0b878 b06a3c 5a2e22
     4a4a80 c08a98 f8c090 ffd8a0 ffc8b0 7a6888 f0a060 9a4a38 3a1c30
     86b0cc c8dce4 f6efe0 fff8e8 ffffff c8d0d4 f4dcb8 c49a70 76543c`,
  )
  const noise = makeNoise(frame)
  const clouds = between(frame, 0, 0.5)
  const sky = { ...palette, sunX: -width * 0.1, sunY: height * 0.15, horizon: height * 0.5, clouds, noise }
  const waves = times(5, (index) => {
    const share = index / 4
    const tall = lerp(120, 420, share) * between(frame, 0.8, 1.2)
    const edge = makeRidge(frame, noise, height * lerp(0.42, 0.86, share), tall, lerp(600, 1500, share), 0.004)
    const top = edge.reduce((high, y) => min(high, y))
    const curve = { bend: between(frame, 60, 130), phase: between(frame, 0, 6), lean: between(frame, -0.9, 0.2) }
    return { edge, top, peak: edge.indexOf(top) / 2, ...curve, share }
  })
  const behind: Shader = (x, y, out) => paintSky(sky, x, y, out)
  const paint = paintStack(waves, behind, ({ edge, top, peak, bend, phase, lean, share }, solid, x, y, out) => {
    const below = y - ridgeAt(edge, x)
    // The crest winds down from the peak and parts the sunny side from the one in shadow.
    const drop = y - top
    const side = x - peak - lean * drop - bend * (sin(drop / 120 + phase) - sin(phase)) * min(1, drop / 200)
    const soft = fractal(noise, x / 260, y / 130, 3) - 0.5
    const ripple = sin((x * 0.35 + y) / lerp(3, 9, share) + soft * 26) * smooth(0, 160, below) * share * 0.05
    const dark = smooth(-2, 3 + drop * 0.02, side)
    cover(out, palette.sand, solid)
    cover(out, palette.lit, solid * (1 - dark) * clamp(0.85 - abs(side) / 1400 + soft * 0.8))
    cover(out, palette.dark, solid * dark * clamp(0.85 - side / 900 + soft * 0.7))
    shade(out, 1 + solid * (ripple * (1 - dark / 2) + (noise(x * 1.1, y * 1.1) - 0.5) * 0.05 * share))
    cover(out, palette.low, solid * (1 - share) * (0.62 * sqrt(1 - share) + 0.1 * smooth(0, 300, below)))
    glow(out, palette.sun, solid * 0.1 * exp(-x / 500))
  })
  return [{ detail: 0.75, paint }]
}

/** Brightness of the one star that a square of `cell` units may have; `rare` is the share of squares without one. */
function starAt(noise: Noise, x: number, y: number, cell: number, rare: number): number {
  const [column, row] = [floor(x / cell), floor(y / cell)]
  const power = (noise(column + 91, row + 37) - rare) / (1 - rare)
  if (power < 0) return 0
  const aside = x / cell - column - 0.3 - 0.4 * noise(column, row)
  const down = y / cell - row - 0.3 - 0.4 * noise(column + 7, row + 3)
  const size = (0.9 + 1.1 * power ** 6) / cell
  return exp(-(aside * aside + down * down) / (size * size)) * (0.25 + 0.75 * power * power)
}

function night(frame: Frame): Layer[] {
  const { width, height } = frame
  const { zenith, middle, low, core, cool, ground } = pickPalette(
    frame,
    'zenith middle low core cool ground',
    `050a1c 0f2448 3c5a70 ffd9b0 8fb0ff 04070c
     0a0820 2a2058 b06a70 ffc8a8 b8a8ff 070512
     04121c 0a3848 4a9080 ffe8c0 90e0e0 020a0c`,
  )
  const noise = makeNoise(frame)
  const turn = between(frame, 0.5, 1.1) * pickOne(frame, [-1, 1])
  const centreX = width * between(frame, 0.35, 0.65)
  const hills = times(3, (index) => {
    const ridge = makeRidge(frame, noise, height * (0.84 + index * 0.06), 150 - index * 30, 500, 0.12)
    const colour = mix(low, ground, 0.62 + index * 0.18)
    return { edge: plantConifers(frame, ridge, index * 130, 20 + index * 55), colour }
  })
  const milkyWay: Shader = (x, y, out) => {
    cover(out, zenith, 1)
    cover(out, middle, smooth(0.1, 0.75, y / height))
    cover(out, low, smooth(0.5, 0.98, y / height))
    const along = (x - centreX) * sin(turn) + (y - height * 0.45) * cos(turn)
    const across = (x - centreX) * cos(turn) - (y - height * 0.45) * sin(turn)
    const cloud = fractal(noise, across / 130 + 20, along / 210, 4)
    const dust = fractal(noise, across / 60 + 40, along / 150 + 9, 5)
    const band = exp(-(((across + (cloud - 0.5) * 160) / 170) ** 2))
    const heart = exp(-(((across + (dust - 0.5) * 60) / 75) ** 2))
    glow(out, cool, band * cloud * 0.5)
    glow(out, core, heart * (0.15 + 0.85 * cloud) * (0.34 + 0.2 * cos(along / 500)))
    shade(out, 1 - 0.5 * heart * smooth(0.42, 0.72, dust))
    const fade = 1 - 0.8 * smooth(0.55, 0.95, y / height)
    const faint = starAt(noise, x, y, 11, 0.55 - 0.3 * band) + 0.6 * starAt(noise, x + 500, y, 7, 0.85 - 0.6 * band)
    glow(out, cool, fade * faint)
    glow(out, core, fade * 1.6 * starAt(noise, x, y + 300, 46, 0.55))
  }
  const paint = paintStack(hills, milkyWay, ({ colour }, solid, _x, _y, out) => cover(out, colour, solid))
  return [{ detail: 0.75, paint }]
}

function silk(frame: Frame): Layer[] {
  const { dark, base, lit } = pickPalette(
    frame,
    'dark base lit',
    `a08c78 e8dccc fffdf8
     8a5a5c dca8a4 fff0ec
     5c6c84 a8b8cc f4f8ff
     8a7048 d8bc8c fff8e0`,
  )
  const noise = makeNoise(frame)
  const turn = between(frame, 0.35, 1.1) * pickOne(frame, [-1, 1])
  const wave = between(frame, 75, 120)
  const fold = (x: number, y: number) => {
    const along = x * cos(turn) + y * sin(turn)
    const across = y * cos(turn) - x * sin(turn)
    const phase = across / wave + fractal(noise, along / 1100 + 3, across / 700, 2) * 10 + 0.8 * sin(along / 420)
    const tall = wave * 0.5 * (0.35 + noise(along / 500, across / 300))
    return tall * (sin(phase) + 0.35 * sin(phase * 2.13 + along / 260))
  }
  const paint: Shader = (x, y, out) => {
    const here = fold(x, y)
    const slopeX = (fold(x + 2, y) - here) / 2
    const slopeY = (fold(x, y + 2) - here) / 2
    const size = 1 / sqrt(1 + slopeX * slopeX + slopeY * slopeY)
    const facing = (0.35 * slopeX + 0.6 * slopeY + 0.72) * size
    const gloss = max(0, (0.3 * slopeX + 0.5 * slopeY + 0.81) * size)
    shade(cover(out, dark, 1), 0.6)
    cover(out, dark, smooth(-0.5, 0.3, facing))
    cover(out, base, smooth(0.1, 0.85, facing))
    cover(out, lit, 0.7 * gloss ** 12)
    shade(out, 0.985 + 0.015 * sin((x + y) * 1.3) * sin((x - y) * 1.3))
  }
  return [{ detail: 0.6, paint }]
}

/** A big flower from close by: petals wound from the heart outwards, the inner ones in front. */
function petals(frame: Frame): Layer[] {
  const { back, leaf, deep, base, tip } = pickPalette(
    frame,
    'back leaf deep base tip',
    `3c4a34 5a7048 b8586a f0a8b0 fff0ec
     4a443c 7a7060 d8a070 f8dcc0 fffaf0
     20281c 48583c 6a0818 c02838 f47a78
     484a50 70747c a890b8 e0d0e8 fffcff
     3c4428 78844c e08a30 fcc068 fff0b8`,
  )
  const noise = makeNoise(frame)
  const isPointed = frame.random() < 0.35
  const zoom = between(frame, 0.95, 1.7)
  const [centreX, centreY] = [frame.width * between(frame, 0.36, 0.64), frame.height * between(frame, 0.4, 0.6)]
  const count = isPointed ? 64 : floor(between(frame, 22, 34))
  const whorl = times(count, (index) => {
    const share = (index + 1) / count
    const radius = 560 * share ** (isPointed ? 0.7 : 0.85) * between(frame, 0.95, 1.05)
    const axis = (index * 2.399963 + between(frame, -0.15, 0.15)) % (2 * PI)
    return { radius, axis, wide: isPointed ? lerp(0.75, 0.24, share) : lerp(1.5, 0.85, share), seed: index * 2.7 }
  })
  const paint: Shader = (x, y, out) => {
    const [dx, dy] = [(x - centreX) / zoom, ((y - centreY) * 1.08) / zoom]
    const distance = hypot(dx, dy)
    const angle = atan2(dy, dx)
    let gap = 400
    for (const { radius, axis, wide, seed } of whorl) {
      if (distance > radius * 1.05 + 90) continue
      const turned = angle - axis
      const off = turned > PI ? turned - 2 * PI : turned < -PI ? turned + 2 * PI : turned
      const across = abs(off / wide)
      if (across >= 1) continue
      const outline = isPointed ? (1 - across * sqrt(across)) ** 0.6 : sqrt(1 - across ** 4)
      const inside = radius * outline * (1 + 0.09 * (noise(off * 3.2 + seed, seed) - 0.5)) - distance
      if (inside < 0) {
        gap = min(gap, -inside)
        continue
      }
      const reach = 40 + radius * 0.28
      const vein = noise(off * 40 + seed, distance / 120) - 0.5
      cover(out, tip, 1)
      cover(out, base, smooth(0, reach * 0.9, inside + vein * 10))
      cover(out, deep, 0.7 * smooth(reach * 0.4, reach * 1.8, inside))
      cover(out, deep, 0.85 * exp(-gap / (14 + radius * 0.08)))
      const lit = 0.1 * cos(angle + 2.3) * min(1, distance / 200) - (0.08 * off) / wide
      shade(out, 1 + lit - 0.2 * exp(-gap / 9) + vein * 0.04)
      glow(out, tip, 0.3 * exp(-inside / 7))
      // Without this the rim is jagged: what lies behind it is in its shadow, so the rim fades to that.
      cover(out, deep, 0.7 * clamp(1 - inside / 3.5))
      return
    }
    cover(out, back, 1)
    cover(out, leaf, smooth(0.25, 0.8, fractal(noise, x / 420, y / 420, 2)))
    shade(out, 1 - 0.6 * exp(-gap / 22))
  }
  return [{ detail: 0.75, paint }]
}

const css = ({ r, g, b }: Colour) => `rgb(${[r, g, b].map((part) => floor(clamp(part) * 255)).join()})`
const stop = (at: number, colour: Colour, alpha = 1) =>
  `<stop offset="${at}" stop-color="${css(colour)}" stop-opacity="${alpha}"/>`
const linear = (id: string, ends: string, stops: string) =>
  `<linearGradient id="${id}" ${ends}>${stops}</linearGradient>`
const radial = (id: string, stops: string) => `<radialGradient id="${id}">${stops}</radialGradient>`
const shape = (path: string, fill: string, alpha = 1) => `<path d="${path}" fill="${fill}" fill-opacity="${alpha}"/>`
const ellipse = (x: number, y: number, rx: number, ry: number, fill: string, alpha: number) =>
  `<ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${ry}" fill="${fill}" fill-opacity="${alpha}"/>`
const line = (path: string, colour: Colour, width: number) =>
  `<path d="${path}" fill="none" stroke="${css(colour)}" stroke-width="${width}" stroke-linecap="round"/>`

function forest(frame: Frame): Layer[] {
  const { width, height, random } = frame
  const { fog, sun, bark, ground, leaf, light } = pickPalette(
    frame,
    'fog sun bark ground leaf light',
    `c4d2cc fff4d0 1c2622 2c4030 3c5c3c 6a7a6a
     f0dcb0 fff4d4 3a2618 6a4a20 b07a28 8a6a48
     bccad8 f4f4ee 18222c 34444a 4a6468 708494
     eee4c8 fffae0 4a3c34 7a6a30 c8a030 f0ece0`,
  )
  const noise = makeNoise(frame)
  const [sunX, sunY] = [width * between(frame, 0.25, 0.75), height * between(frame, 0.1, 0.35)]
  const floorY = height * between(frame, 0.66, 0.74)
  const paint: Shader = (x, y, out) => {
    const distance = hypot(x - sunX, y - sunY)
    cover(out, fog, 1)
    cover(out, leaf, 0.6 * smooth(0.35, 0.75, fractal(noise, x / 130, y / 130, 5)) * smooth(60, 700, distance))
    glow(out, sun, 0.9 * exp(-distance / 260))
    const depth = y - floorY + (fractal(noise, x / 200, 3, 3) - 0.5) * 60
    if (depth < 0) return
    const far = 1000 / (depth + 60)
    const tuft = fractal(noise, ((x - width / 2) * far) / 130, far * 8, 5)
    const share = smooth(0, 320, depth)
    cover(out, fog, smooth(0, 40, depth))
    cover(out, ground, smooth(0, 40, depth) * (0.35 + 0.65 * share))
    shade(out, 1 + (tuft - 0.5) * 1.3 * share)
    cover(out, leaf, smooth(0.5, 0.75, tuft) * 0.7 * share)
    glow(out, sun, 0.5 * exp(-abs(x - sunX) / 220 - depth / 130) * tuft)
  }
  const trunks = (near: number): Layer => {
    const tone = mix(fog, bark, 0.12 + 0.86 * near ** 1.3)
    const sides = stop(0, tone) + stop(1, mix(tone, light, 0.15 + 0.6 * near))
    const paints = linear('left', '', sides) + linear('right', 'x1="1" x2="0"', sides)
    const stems = times(lerp(26, 5, near ** 0.6), () => {
      const [x, lean] = [random() * width, between(frame, -50, 50)]
      const wide = lerp(5, 46, near ** 1.6) * between(frame, 0.6, 1.25)
      const foot = floorY + lerp(5, height * 0.34, near ** 1.5) + between(frame, -10, 10)
      const marks = times(near > 0.3 ? 26 : 0, () => {
        const at = random()
        const [markX, markWide] = [x + lean * (1 - at) + between(frame, -0.4, 0.4) * wide, between(frame, 0.07, 0.36)]
        return ellipse(markX, foot * at, wide * markWide, between(frame, 0.4, 2.5), css(bark), between(frame, 0.3, 0.9))
      })
      const boughs = times(3 + near * 5, () => {
        const at = between(frame, 0.02, 0.6)
        const reach = between(frame, 40, 150) * (0.4 + near) * pickOne(frame, [-1, 1])
        const curve = `q${reach * 0.4} ${-8 - 12 * near} ${reach} ${between(frame, -70, -15)}`
        return line(`M${x + lean * (1 - at)} ${foot * at}${curve}`, tone, wide * between(frame, 0.03, 0.1))
      })
      const half = wide * 0.36
      const left = `M${x + lean - half} -20L${x - wide / 2} ${foot - wide}q0 ${wide * 0.9} ${-half} ${wide * 1.1}`
      const right = `h${wide * 1.7}q${-half} ${-wide * 0.3} ${-half} ${-wide * 1.1}L${x + lean + half} -20z`
      return boughs.join('') + shape(left + right, x < sunX ? 'url(#left)' : 'url(#right)') + marks.join('')
    })
    return { blur: lerp(3, 0.5, near), light: false, svg: paints + stems.join('') }
  }
  const shafts = times(9, () => {
    const angle = between(frame, 0.15, PI - 0.15)
    const ray = (turn: number) => `L${sunX + 2200 * cos(angle + turn)} ${sunY + 2200 * sin(angle + turn)}`
    return shape(`M${sunX} ${sunY}${ray(0)}${ray(between(frame, 0.015, 0.06))}z`, css(sun), between(frame, 0.05, 0.16))
  })
  const twigs = times(14, () => ({ x: random() * width, y: height * 0.3 * random() ** 2 }))
  const leaves = times(420, () => {
    const { x, y } = pickOne(frame, twigs)
    const [leafX, leafY] = [x + between(frame, -130, 130), y + between(frame, -50, 50)]
    const tone = mix(leaf, pickOne(frame, [sun, bark]), random() * 0.6)
    return ellipse(leafX, leafY, between(frame, 5, 18), between(frame, 4, 10), css(tone), 0.6)
  })
  const beams: Layer = { blur: 14, light: true, svg: shafts.join('') }
  const foliage: Layer = { blur: 6, light: false, svg: leaves.join('') }
  return [{ detail: 0.5, paint }, trunks(0), trunks(0.25), trunks(0.5), beams, trunks(1), foliage]
}

type Disc = { x: number; y: number; radius: number }

const discPaints = (colours: Colour[], rim: number) =>
  colours.map((light, index) =>
    radial(`d${index}`, stop(0, light, 0.62) + stop(0.8, light, 0.7) + stop(0.93, light, rim) + stop(1, light, 0)),
  )

/** Lights out of focus: discs with a slightly brighter rim. */
function bokeh(frame: Frame, colours: Colour[], alpha: number, discs: Disc[]): Layer {
  const lights = discs.map(({ x, y, radius }) => {
    const paint = `url(#d${floor(frame.random() * colours.length)})`
    return ellipse(x, y, radius, radius, paint, alpha * between(frame, 0.35, 1))
  })
  return { blur: 2, light: true, svg: discPaints(colours, 1).concat(lights).join('') }
}

/** Discs anywhere below `top` (a share of the height), with radii from `small` to `large`. */
const scattered = (frame: Frame, count: number, top: number, small: number, large: number): Disc[] =>
  times(count, () => {
    const [x, y] = [frame.random() * frame.width, between(frame, top, 1) * frame.height]
    return { x, y, radius: between(frame, small, large) }
  })

function fairyLights(frame: Frame): Layer[] {
  const { width, height } = frame
  const { dark, wall, ...hues } = pickPalette(
    frame,
    'dark wall amber warm accent white',
    `120a06 4a2c18 ffb85c ffd898 ff9a48 fff0d0
     0a0c18 2c2a48 ffc878 ffe0b0 e8a0b8 fff4e0
     0c120c 2a3c28 ffd070 ffe8b0 ffb050 fff8dc`,
  )
  const noise = makeNoise(frame)
  const glowX = width * between(frame, 0.3, 0.7)
  const paint: Shader = (x, y, out) => {
    const distance = hypot(x - glowX, y - height * 0.55)
    cover(out, dark, 1)
    cover(out, wall, clamp(0.2 + fractal(noise, x / 240, y / 240, 3) * 0.9) * exp(-distance / (width * 0.55)))
    glow(out, hues.amber, 0.2 * exp(-distance / 330))
  }
  const hang = (share: number, sag: number) => sag * (1 - 4 * (share - 0.5) ** 2)
  const rows = times(7, (index) => ({ rowY: height * (0.02 + index * 0.13), sag: between(frame, 50, 190) }))
  const strung = (count: number, radius: number) =>
    times(count, () => {
      const [{ rowY, sag }, share] = [pickOne(frame, rows), frame.random()]
      const y = rowY + hang(share, sag) + between(frame, -25, 25)
      return { x: share * width, y, radius: radius * between(frame, 0.7, 1.2) }
    })
  const top = height * between(frame, 0.2, 0.36)
  const [sag, tilt] = [between(frame, 90, 260), between(frame, -160, 160)]
  const wire = times(45, (index) => {
    const share = index / 44
    return { x: width * (share * 1.1 - 0.05), y: top + hang(share, sag) + tilt * (share - 0.5) }
  })
  const halo = ellipse(0, 36, 130, 130, 'url(#halo)', 1)
  const glass = shape('M-6 14c-16 14 -18 44 0 50q6 2 12 0c18 -6 16 -36 0 -50z', 'url(#glass)')
  const filament = line('M-3 20q-4 16 0 28q3 4 6 0q4 -12 0 -28', hues.white, 2.2)
  const bulb = halo + shape('M-6 -2h12v16h-12z', css(dark)) + glass + filament
  const bulbs = wire
    .filter((_, index) => index % 4 === 2)
    .map(({ x, y }) => `<g transform="translate(${x} ${y}) rotate(${between(frame, -10, 10)})">${bulb}</g>`)
  const paints =
    radial('halo', stop(0, hues.amber, 0.55) + stop(0.35, hues.amber, 0.16) + stop(1, hues.amber, 0)) +
    radial('glass', stop(0, hues.white) + stop(0.45, hues.warm) + stop(1, hues.amber, 0.75))
  const cable = line(`M${wire.map(({ x, y }) => `${x} ${y}`).join('L')}`, dark, 4)
  const lights = Object.values(hues)
  return [
    { detail: 0.2, paint },
    bokeh(frame, lights, 1, strung(170, 11)),
    bokeh(frame, lights, 0.6, strung(50, 34)),
    bokeh(frame, lights, 0.3, scattered(frame, 16, 0, 50, 120)),
    { blur: 0.5, light: false, svg: paints + cable + bulbs.join('') },
  ]
}

function city(frame: Frame): Layer[] {
  const { width, height, random } = frame
  const { top, low, block, water, ...hues } = pickPalette(
    frame,
    'top low block water amber pale red blue white',
    `0c1430 d08a72 0c1020 0a1428 ffb050 ffe0a8 ff5a48 7ad0e0 fff4e0
     101838 6a88c0 0a0e1c 0c1830 ffc470 ffe8c0 ff7a90 90a8ff fff8f0
     180c28 f09878 140a1c 140c24 ff9a50 ffd090 ff4a70 a070ff ffe8d0`,
  )
  const lights = Object.values(hues)
  const shore = height * between(frame, 0.56, 0.68)
  const noise = makeNoise(frame)
  const paint: Shader = (x, y, out) => {
    const away = abs(y - shore) / shore
    cover(out, top, 1)
    cover(out, low, exp(-away * 3.6) * 0.9)
    cover(out, hues.pale, 0.22 * smooth(0.45, 0.8, fractal(noise, x / 330, y / 60, 4)) * exp(-away * 3))
    if (y > shore) cover(out, water, 0.45 + 0.4 * smooth(0, height - shore, y - shore))
  }
  const towers = times(26, () => {
    return { x: between(frame, -0.05, 1) * width, wide: between(frame, 40, 110), tall: 60 + 330 * random() ** 2.2 }
  })
  const blocks = towers.map(({ x, wide, tall }) => {
    const tower = shape(`M${x} ${shore}v${-tall}h${wide}v${tall}z`, css(mix(block, low, random() * 0.25)))
    return tower + shape(`M${x} ${shore}v${tall}h${wide}v${-tall}z`, css(block), 0.5)
  })
  const windows = times(170, () => {
    const { x, wide, tall } = pickOne(frame, towers)
    return { x: x + wide * random(), y: shore - tall * random() ** 1.2, radius: between(frame, 8, 19) }
  })
  const quay = times(50, () => ({ x: random() * width, y: shore - 36 * random(), radius: between(frame, 15, 34) }))
  const streaks = times(100, () => {
    const { x, y } = pickOne(frame, random() < 0.6 ? quay : windows)
    const [paint, reflectedY] = [`url(#d${floor(random() * lights.length)})`, 2 * shore - y + between(frame, 40, 170)]
    return ellipse(x, reflectedY, between(frame, 7, 20), between(frame, 60, 190), paint, between(frame, 0.15, 0.5))
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

/** The make of a flower of radius 1: width of a petal, radius of the heart, depth of the notch in a petal's tip. */
type Bloom = { count: number; wide: number; heart: number; notch: number }

function flowerPaints(base: Colour, tip: Colour, heart: Colour, dark: Colour): string {
  const face = stop(0, base) + stop(0.45, mix(base, tip, 0.7)) + stop(1, tip)
  const under = stop(0, mix(base, dark, 0.3)) + stop(1, mix(tip, base, 0.55))
  const middle = stop(0, heart) + stop(0.6, mix(heart, dark, 0.15)) + stop(1, mix(heart, dark, 0.55))
  const upwards = 'x1="0" y1="1" x2="0" y2="0"'
  return linear('face', upwards, face) + linear('under', upwards, under) + radial('heart', middle)
}

/** A flower seen at an angle (`tilt` 1 is face on), in the colours of flowerPaints. */
function flower(frame: Frame, { x, y, radius }: Disc, tilt: number, { count, wide, heart, notch }: Bloom): string {
  const rings = count > 8 ? 2 : 1
  const [side, end] = [wide * 1.1, wide * 0.3]
  const outline = `M0 0C${-wide} -.2 ${-side} -.95 ${-end} -1Q0 ${notch - 1} ${end} -1C${side} -.95 ${wide} -.2 0 0z`
  const petal = times(count * rings, (index) => {
    const turn = ((index + (index < count ? 0 : 0.5)) / count) * 360 + between(frame, -7, 7)
    const fill = index < count * (rings - 1) || frame.random() < 0.25 ? 'url(#under)' : 'url(#face)'
    return `<g transform="rotate(${turn}) scale(${between(frame, 0.88, 1.06)})">${shape(outline, fill)}</g>`
  })
  const seeds = times(30, () => {
    const [angle, reach] = [frame.random() * 2 * PI, max(heart, 0.3 - heart) * sqrt(frame.random())]
    return ellipse(reach * cos(angle), reach * sin(angle), 0.02, 0.02, pickOne(frame, ['#fff2b0', '#8a5410']), 0.7)
  })
  const parts = [...petal, ellipse(0, 0, heart, heart, 'url(#heart)', 1), ...seeds]
  const pose = `rotate(${between(frame, -25, 25)}) scale(${radius} ${radius * tilt}) rotate(${between(frame, 0, 90)})`
  return `<g transform="translate(${x} ${y}) ${pose}">${parts.join('')}</g>`
}

function meadow(frame: Frame): Layer[] {
  const { width, height, random } = frame
  const { far, green, deep, straw, base, tip, heart, other } = pickPalette(
    frame,
    'far green deep straw base tip heart other',
    `f4efc8 8aa850 2c4a20 d8d890 f4e8e0 ffffff f0b820 e85a4a
     f8d8b0 a89a58 3c4420 e8c880 d84a8a f8a8cc f4c430 f4f0ff
     d8e8e0 6a9a68 1c4030 b8d0a0 c8301c f46a40 30201c 8a9aee
     fce4c0 b0a060 4a4428 f0d890 9a80d0 d8c8f8 f4d050 fff0f8`,
  )
  const noise = makeNoise(frame)
  const paint: Shader = (x, y, out) => {
    const blotch = fractal(noise, x / 240, y / 170, 2) - 0.5
    cover(out, far, 1)
    cover(out, green, smooth(0.05, 0.5, y / height + blotch * 0.5))
    cover(out, deep, 0.95 * smooth(0.4, 1.05, y / height + blotch * 0.3))
    glow(out, far, 0.5 * exp(-hypot(x - width * 0.75, y) / 420))
  }
  const daisy = { count: floor(between(frame, 8, 14)), wide: between(frame, 0.2, 0.34), heart: 0.23, notch: 0.06 }
  const poppy = { count: 5, wide: 0.95, heart: 0.2, notch: 0.03 }
  const plants = (near: number, count: number, blur: number, paints: string): Layer => {
    const ground = height * lerp(0.6, 1.25, near)
    const blades = times(lerp(150, 60, near), () => {
      const tall = lerp(70, 560, near) * between(frame, 0.4, 1)
      const curve = `q${between(frame, -20, 20)} ${-tall * 0.6} ${between(frame, -90, 90) * (0.3 + near)} ${-tall}`
      const tone = mix(mix(green, deep, random()), straw, random() ** 2)
      return line(`M${random() * width} ${ground + 40}${curve}`, tone, lerp(2.5, 9, near) * between(frame, 0.5, 1))
    })
    const heads = times(count, (index) => {
      const [x, y] = [((index + random()) / count) * width, ground - lerp(60, 760, near) * between(frame, 0.3, 1)]
      return { x, y, radius: lerp(16, 165, near ** 1.5) * between(frame, 0.7, 1.15) }
    })
    const stalks = heads.map(({ x, y, radius }) => {
      const curve = `q${between(frame, -20, 20)} ${(ground - y) / 2} ${between(frame, -70, 70)} ${ground - y + 60}`
      return line(`M${x} ${y}${curve}`, mix(green, deep, 0.5), radius * 0.09)
    })
    const flowers = heads.map((head) => flower(frame, head, between(frame, 0.45, 0.9), heart.r < 0.4 ? poppy : daisy))
    return { blur, light: false, svg: [paints, ...blades, ...stalks, ...flowers].join('') }
  }
  const main = flowerPaints(base, tip, heart, deep)
  const guests = flowerPaints(mix(other, deep, 0.25), other, heart, deep)
  const rest = [plants(0.1, 34, 9, guests), plants(0.3, 16, 6, main), plants(0.48, 8, 2.5, guests)]
  const dots = bokeh(frame, [far, straw, tip], 0.3, scattered(frame, 22, 0, 18, 60))
  return [{ detail: 0.2, paint }, dots, ...rest, plants(0.62, 6, 0.6, main), plants(1, 3, 20, main)]
}

function blossom(frame: Frame): Layer[] {
  const { width, height } = frame
  const { back, depth, bark, base, tip, heart } = pickPalette(
    frame,
    'back depth bark base tip heart',
    `bcd8ec 7aa4c8 3c2a28 f090b0 fff0f4 e8b050
     f8dce0 d8a0b0 40282c f4a8b8 ffffff e0a048
     d0dcb8 88a070 3a2c20 f0e0d0 ffffff e8c040
     5a7080 2c3c4c 241c1c f4c8c8 fff8f4 f0c060`,
  )
  const noise = makeNoise(frame)
  const paint: Shader = (x, y, out) => {
    const share = smooth(0.3, 0.75, fractal(noise, x / 260, y / 260, 2) * 0.6 + (0.4 * y) / height)
    cover(cover(out, back, 1), depth, share)
  }
  const branch = (scale: number, blur: number, startY: number, rise: number): Layer => {
    const yAt = (share: number) => height * (startY + rise * share) + 70 * sin(share * 5 + startY * 9) * scale
    const xAt = (share: number) => share * width * 0.95 - 20
    const wood = times(24, (index) => {
      const [from, to] = [index / 24, (index + 1) / 24]
      return line(`M${xAt(from)} ${yAt(from)}L${xAt(to)} ${yAt(to)}`, bark, (30 - index * 1.1) * scale)
    })
    const blooms = times(30, () => {
      const at = floor(frame.random() * 6) / 6 + 0.12 + between(frame, -0.065, 0.065)
      const [dx, dy] = [between(frame, -75, 75) * scale, between(frame, -95, 80) * scale]
      const curve = `M${xAt(at)} ${yAt(at)}q${dx * 0.2} ${dy * 0.8} ${dx} ${dy}`
      const radius = scale * (frame.random() < 0.18 ? 26 : between(frame, 46, 68))
      return { x: xAt(at) + dx, y: yAt(at) + dy, radius, stalk: line(curve, mix(bark, base, 0.35), 3.4 * scale) }
    })
    const cherry = { count: 5, wide: 0.56, heart: 0.06, notch: 0.12 }
    const flowers = blooms.map((place) => flower(frame, place, between(frame, 0.55, 1), cherry))
    const stalks = blooms.map(({ stalk }) => stalk)
    return { blur, light: false, svg: [flowerPaints(base, tip, heart, bark), ...wood, ...stalks, ...flowers].join('') }
  }
  const dots = bokeh(frame, [tip, base, back], 0.4, scattered(frame, 30, 0, 24, 80))
  return [
    { detail: 0.2, paint },
    dots,
    branch(0.7, 14, 0.75, -0.2),
    branch(1, 6, 0.2, 0.25),
    branch(1.35, 0.6, 0.72, -0.36),
  ]
}

/** The kinds of scene, in an order in which neighbours differ. Each makes its layers from the bottom up. */
export const scenes = [fairyLights, mountains, petals, sea, meadow, silk, forest, blossom, city, lake, dunes, night]
