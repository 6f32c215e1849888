import { writeFile } from 'node:fs/promises'
import { variablesPage } from './variables-page.ts'

// `npm run variables`: writes docs/operating/variables.md.
await writeFile(new URL('../docs/operating/variables.md', import.meta.url), variablesPage())
