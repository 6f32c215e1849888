import { type Variable, variableGroups } from '../server/platform/variables.ts'

const introduction = `# Variables

Proofroom reads these environment variables once, at startup. All of them are optional, and an empty value counts as not set.
If a value is invalid, the service does not start and prints one line for each invalid variable. \`npx proofroom check-config\`
checks the variables without starting the service.

\`npm run variables\` generates this page from \`server/platform/variables.ts\`.
`

/** Returns the text of `docs/operating/variables.md`, generated from the declarations of the variables. */
export const variablesPage = (): string =>
  [introduction, ...Object.entries(variableGroups).map(formatSection)].join('\n')

const formatSection = ([title, group]: [string, Record<string, Variable<unknown>>]): string =>
  [
    `## ${title}`,
    '',
    '| Variable | Default | Values | Description |',
    '| --- | --- | --- | --- |',
    ...Object.entries(group).map(formatRow),
    '',
  ].join('\n')

const formatRow = ([name, { defaultText, expects, description }]: [string, Variable<unknown>]): string =>
  `| \`${name}\` | ${defaultText} | ${expects} | ${description} |`
