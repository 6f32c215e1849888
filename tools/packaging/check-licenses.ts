/** `npm run check:licenses`: whether the licenses of everything that the package contains or installs are allowed. */
import { listComponents } from './components.ts'
import { findGplInPackages } from './find-gpl.ts'
import { findForbidden } from './licenses.ts'

const components = listComponents()
const forbidden = findForbidden(components)
for (const { name, version, license, source } of forbidden) {
  console.error(`${name} ${version}: ${license}${source ? '' : ', without a link to its source'} is not allowed`)
}
const gpl = findGplInPackages()
for (const path of gpl) console.error(`${path} is under the GNU General Public License`)
if (forbidden.length + gpl.length > 0) process.exitCode = 1
else console.log(`The licenses of ${components.length} components are allowed.`)
