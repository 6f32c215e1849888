import Type, { type TSchema } from 'typebox'
import { Check } from 'typebox/value'
import { CameraFacts } from '../../../contract/camera-facts.ts'
import { colorLabels } from '../../../contract/color-labels.ts'
import { xmpRejections } from '../xmp/rejected-xmp.ts'
import { imageKinds } from './image-kinds.ts'
import { type ImageTask, type ImageTaskResult, levelCells, maxPatchesLength, maxReasonLength } from './image-tasks.ts'
import { rawKinds } from './raw/detect-raw-kind.ts'
import { videoKinds } from './video/video-header.ts'

// An image worker decodes files of strangers, so what it reports is checked like input.

const Strict = (properties: Record<string, TSchema>) => Type.Object(properties, { additionalProperties: false })
const Nullable = (schema: TSchema) => Type.Union([schema, Type.Null()])
const OneOf = (values: object) => Type.Enum(Object.keys(values))

const pixels = {
  width: Type.Integer({ minimum: 1, maximum: 2 ** 28 }),
  height: Type.Integer({ minimum: 1, maximum: 2 ** 28 }),
}
const crc32 = Type.Integer({ minimum: 0, maximum: 0xffffffff })
const writtenFile = {
  sizeBytes: Type.Integer({ minimum: 1, maximum: 2 ** 40 }),
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
}
const capturedAt = Nullable(Type.Integer({ minimum: -(2 ** 50), maximum: 2 ** 50 }))
const shown = {
  ...pixels,
  thumbhash: Type.String({ maxLength: 64, pattern: '^[A-Za-z0-9+/]+=*$' }),
  thumbnail: Strict(writtenFile),
}
const picture = { ...shown, imageKind: OneOf(imageKinds), capturedAt }
const converted = { imageKind: Type.Enum(['heic', ...rawKinds]), capturedAt }
/** Entries `[at, base64]` and `[at, length, value]`; the numbers stay within a file. */
const patchesPattern = '^\\[(\\[\\d{1,13},("[A-Za-z0-9+/]+=*"|\\d{1,8},\\d{1,3})\\],?)*\\]$'
const location = Nullable(
  Strict({ patches: Type.String({ maxLength: maxPatchesLength, pattern: patchesPattern }), crc32Change: crc32 }),
)

const marks = Nullable(
  Strict({
    rating: Nullable(Type.Number({ minimum: -1000, maximum: 1000 })),
    label: Nullable(Type.String({ minLength: 1, maxLength: 100 })),
    labelColor: Nullable(Type.Enum([...colorLabels])),
    synced: Nullable(Type.String({ minLength: 1, maxLength: 100 })),
  }),
)

const percent = Type.Integer({ minimum: 0, maximum: 100 })
const levelsPattern = `^[A-Za-z0-9+/]{${Math.ceil((levelCells ** 2 * 4) / 3)}}=*$`

const facts: Record<ImageTask['kind'], TSchema> = {
  receive: Type.Union([Strict({ ...picture, location, marks }), Strict({ ...converted, location, marks })]),
  thumbnail: Strict(picture),
  still: Strict({ ...shown, still: Strict({ ...writtenFile, crc32 }), isHevc: Type.Boolean() }),
  rendition: Type.Array(
    Strict({
      ...{ ...pixels, ...writtenFile, crc32 },
      tone: Type.Optional(Type.Enum(['dark', 'light'])),
      isOpaque: Type.Optional(Type.Boolean()),
    }),
    { minItems: 1, maxItems: 20 },
  ),
  measure: Strict(pixels),
  'measure-cover': Strict({ focusX: percent, focusY: percent, levels: Type.String({ pattern: levelsPattern }) }),
  'inspect-video': Strict({
    header: Nullable(Strict({ kind: OneOf(videoKinds), isSelfContained: Type.Boolean() })),
    location,
  }),
  location: Strict({ location }),
  camera: Type.Object(CameraFacts.properties, { additionalProperties: false }),
  'read-sidecar': Strict({ marks }),
  'merge-sidecar': Type.Union([
    Strict({ merged: Strict({ sizeBytes: writtenFile.sizeBytes, crc32 }) }),
    Strict({ rejection: Type.Enum([...xmpRejections]) }),
  ]),
}

const rejection = Strict({
  outcome: Type.Literal('rejected'),
  cause: Type.Enum(['kind', 'size', 'damage']),
  imageKind: Nullable(OneOf(imageKinds)),
  reason: Type.String({ maxLength: maxReasonLength }),
})

const memoryRequest = Strict({ requestedBytes: Type.Number({ minimum: 0 }) })
const diskFull = Strict({ outcome: Type.Literal('diskFull') })

export const isMemoryRequest = (message: unknown): message is { requestedBytes: number } =>
  (message as { requestedBytes?: unknown } | null)?.requestedBytes === Number.POSITIVE_INFINITY ||
  Check(memoryRequest, message)

export const isDiskFull = (message: unknown): boolean => Check(diskFull, message)

/** Whether the message of a worker is a result that the task can have. */
export function isTaskResult<Task extends ImageTask>(task: Task, message: unknown): message is ImageTaskResult<Task> {
  const made = Strict({ outcome: Type.Literal('made'), facts: facts[task.kind] })
  return Check(rejection, message) || Check(made, message)
}
