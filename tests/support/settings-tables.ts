import { type SettingKey, settingDefaults, settingShapes } from '../../contract/settings.ts'

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

export function settingsTables(): Record<string, string> {
  const rows = Object.entries(settingShapes) as Array<[SettingKey, Shape]>
  const groups = Object.groupBy(rows, ([key]) => key.slice(0, key.indexOf('_')))
  return Object.fromEntries(
    Object.entries(groups).map(([group, those = []]) => [
      group,
      ['| Setting | Default | Takes | Meaning |', '| --- | --- | --- | --- |', ...those.map(rowOf)].join('\n'),
    ]),
  )
}

const rowOf = ([key, shape]: [SettingKey, Shape]): string =>
  `| \`${key}\` | ${shown(settingDefaults[key])} | ${boundsOf(shape)} | ${shape.description} |`

function shown(value: unknown): string {
  if (value === null) return 'none'
  if (value === '') return 'empty'
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  return `\`${value}\``
}

function boundsOf({ anyOf, ...shape }: Shape): string {
  const { type, enum: words, minimum, maximum, maxLength, 'x-pattern': pattern } = anyOf?.[0] ?? shape
  if (words) return words.map((word) => `\`${word}\``).join(', ')
  if (type === 'boolean') return '`true`, `false`'
  if (type === 'integer') return `${minimum} to ${maximum}`
  return pattern ? pattern.replace(/^must (be )?/, '') : `at most ${maxLength} characters`
}
