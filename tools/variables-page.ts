import { type Variable, variableGroups } from '../server/platform/variables.ts'

const introduction = `# Variables

What the environment decides, read once at the start. Nothing has to be set, and an empty value counts as not set. Values
that cannot be used stop the start, each named in one line, all of them at once; \`npx proofroom check-config\` looks at
them without a start.

This page is made from \`server/platform/variables.ts\` by \`npm run variables\`.
`

/** Returns the text of `docs/operating/variables.md`, generated from the declarations of the variables. */
export const variablesPage = (): string =>
  [introduction, ...Object.entries(variableGroups).map(formatSection)].join('\n')

const formatSection = ([title, group]: [string, Record<string, Variable<unknown>>]): string =>
  [
    `## ${title}`,
    '',
    '| Variable | Default | Takes | Meaning |',
    '| --- | --- | --- | --- |',
    ...Object.entries(group).map(formatRow),
    '',
  ].join('\n')

const formatRow = ([name, { defaultText, expects, description }]: [string, Variable<unknown>]): string =>
  `| \`${name}\` | ${defaultText} | ${expects} | ${description} |`
