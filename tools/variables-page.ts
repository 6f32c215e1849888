import { type Variable, variableGroups } from '../server/platform/variables.ts'

const introduction = `# Variables

What the environment decides, read once at the start. Nothing has to be set, and an empty value counts as not set. Values
that cannot be used stop the start, each named in one line, all of them at once; \`npx proofroom check-config\` looks at
them without a start.

This page is made from \`server/platform/variables.ts\` by \`npm run variables\`.
`

/** Returns the text of `docs/operating/variables.md`, generated from the declarations of the variables. */
export const variablesPage = (): string => [introduction, ...Object.entries(variableGroups).map(sectionOf)].join('\n')

const sectionOf = ([title, group]: [string, Record<string, Variable<unknown>>]): string =>
  [
    `## ${title}`,
    '',
    '| Variable | Default | Takes | Meaning |',
    '| --- | --- | --- | --- |',
    ...Object.entries(group).map(rowOf),
    '',
  ].join('\n')

const rowOf = ([name, { unset, takes, meaning }]: [string, Variable<unknown>]): string =>
  `| \`${name}\` | ${unset} | ${takes} | ${meaning} |`
