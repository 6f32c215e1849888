import { writeFile } from 'node:fs/promises'
import { variablesPage } from './variables-page.ts'

// `npm run variables`: writes the page of the operating guide that names all variables.
await writeFile(new URL('../docs/operating/variables.md', import.meta.url), variablesPage())
