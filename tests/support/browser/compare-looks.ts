import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'

const referenceFolder = join(import.meta.dirname, '../../browser/looks')
const differencesFolder = join(import.meta.dirname, '../../../node_modules/.cache/looks')

/** The screenshots of a reference begin at multiples of this. */
const alignPx = 4
/** Size of the compared blocks in pixels of the reference. Averages of blocks ignore the losses of compression. */
const blockPx = 8
/** Difference of a color channel (0 to 255) from which a block counts as different. Compression causes up to 9. */
const minDifference = 10
/** Share of the blocks of a screenshot that may differ. A button is about 0.35 % of the desktop. */
const tolerance = 0.002

export type Variant = { name: string; screenshot: Buffer; widthPx: number }

/**
 * Compares the screenshots of a page with its reference, which has them side by side. Returns a message for each one that
 * differs in more than `tolerance` of its blocks. With RENEW_LOOKS set, it stores the reference instead.
 */
export async function compareWithReference(page: string, variants: Variant[]): Promise<string[]> {
  const sheet = await layOut(variants)
  const referencePath = join(referenceFolder, `${page}.webp`)
  if (process.env.RENEW_LOOKS) {
    await writeFile(referencePath, sheet.bytes)
    return []
  }
  const reference = await readFile(referencePath)
  const [before, after] = await Promise.all([averageBlocks(reference), averageBlocks(sheet.bytes)])
  if (before.width !== after.width || before.height !== after.height) {
    return [`${page} has another size than ${referencePath}`]
  }
  const messages = sheet.places.flatMap(({ name, left, width }) => {
    const share = shareOfDifferences(before, after, left / blockPx, (left + width) / blockPx)
    return share > tolerance ? [`${page}, ${name}: ${(share * 100).toFixed(2)} % differ`] : []
  })
  if (messages.length > 0) {
    await mkdir(differencesFolder, { recursive: true })
    await writeFile(join(differencesFolder, `${page}.webp`), sheet.bytes)
    messages.push(`Compare ${differencesFolder}/${page}.webp with the reference; npm run looks renews all references.`)
  }
  return messages
}

type Place = { name: string; left: number; width: number }

/** Scales the screenshots down and puts them side by side. */
async function layOut(variants: Variant[]): Promise<{ bytes: Buffer; places: Place[] }> {
  const pictures = await Promise.all(
    variants.map(async ({ name, screenshot, widthPx }) => {
      const { data, info } = await sharp(screenshot)
        .resize({ width: widthPx })
        .png()
        .toBuffer({ resolveWithObject: true })
      return { name, data, ...info }
    }),
  )
  const places: Place[] = []
  let left = 0
  for (const { name, width } of pictures) {
    places.push({ name, left, width })
    left += Math.ceil(width / alignPx) * alignPx
  }
  const height = Math.ceil(Math.max(...pictures.map((picture) => picture.height)) / alignPx) * alignPx
  const bytes = await sharp({ create: { width: left, height, channels: 3, background: '#808080' } })
    .composite(pictures.map(({ data }, index) => ({ input: data, left: places[index]?.left ?? 0, top: 0 })))
    .webp({ quality: 62, effort: 6, smartSubsample: true })
    .toBuffer()
  return { bytes, places }
}

type Blocks = { data: Buffer; width: number; height: number }

async function averageBlocks(picture: Buffer): Promise<Blocks> {
  const { width = 0, height = 0 } = await sharp(picture).metadata()
  const blocks = { width: Math.floor(width / blockPx), height: Math.floor(height / blockPx) }
  const size = { ...blocks, fit: 'fill', kernel: 'linear' } as const
  const { data, info } = await sharp(picture).removeAlpha().resize(size).raw().toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}

function shareOfDifferences(before: Blocks, after: Blocks, from: number, to: number): number {
  let different = 0
  for (let y = 0; y < before.height; y++) {
    for (let x = Math.floor(from); x < Math.floor(to); x++) {
      const at = (y * before.width + x) * 3
      const isDifferent = [0, 1, 2].some(
        (channel) => Math.abs((before.data[at + channel] ?? 0) - (after.data[at + channel] ?? 0)) >= minDifference,
      )
      if (isDifferent) different++
    }
  }
  return different / (before.height * (Math.floor(to) - Math.floor(from)))
}
