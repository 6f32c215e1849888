import { type SettingKey, settingDefaults, settingShapes } from '../../../contract/settings.ts'

type Shape = {
  type?: string
  enum?: string[]
  anyOf?: Shape[]
  minimum?: number
  maximum?: number
  maxLength?: number
  description?: string
  'x-pattern'?: string
}

export function createSettingsTables(): Record<string, string> {
  const rows = Object.entries(settingShapes) as Array<[SettingKey, Shape]>
  const groups = Object.groupBy(rows, ([key]) => key.slice(0, key.indexOf('_')))
  return Object.fromEntries(
    Object.entries(groups).map(([group, settings = []]) => [
      group,
      ['| Setting | Default | Takes | Meaning |', '| --- | --- | --- | --- |', ...settings.map(formatRow)].join('\n'),
    ]),
  )
}

const formatRow = ([key, shape]: [SettingKey, Shape]): string =>
  `| \`${key}\` | ${formatDefault(settingDefaults[key])} | ${formatBounds(shape)} | ${shape.description} |`

function formatDefault(value: unknown): string {
  if (value === null) return 'none'
  if (value === '') return 'empty'
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  return `\`${value}\``
}

function formatBounds({ anyOf, ...shape }: Shape): string {
  const { type, enum: words, minimum, maximum, maxLength, 'x-pattern': pattern } = anyOf?.[0] ?? shape
  if (words) return words.map((word) => `\`${word}\``).join(', ')
  if (type === 'boolean') return '`true`, `false`'
  if (type === 'integer') return `${minimum} to ${maximum}`
  return pattern ? pattern.replace(/^must (be )?/, '') : `at most ${maxLength} characters`
}
