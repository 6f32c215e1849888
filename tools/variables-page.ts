import { secretNames } from '../server/platform/configuration/misspelt-variables.ts'
import { type Variable, variableGroups } from '../server/platform/configuration/variables.ts'

const joinNames = (names: readonly string[]): string =>
  names
    .map((name) => `\`${name}\``)
    .join(', ')
    .replace(/, ([^,]*)$/, ' and $1')

const introduction = `# Variables

Proofroom reads these environment variables once, at startup. All of them are optional, and an empty value counts as not set.
If a value is invalid, the service does not start and prints one line for each invalid variable. \`proofroom doctor\`
checks the variables, and what they name, without starting the service.

A secret can also be in a file, such as a secret of Docker or a credential of systemd: set the variable with \`_FILE\` after its
name to the path of the file, for example \`JWT_SECRET_FILE=/run/secrets/jwt\`. Setting both is an error. This works for
${joinNames(secretNames)}.

\`npm run variables\` generates this page from \`server/platform/configuration/variables.ts\`.
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
