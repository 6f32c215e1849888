import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeMaterials } from './bill-of-materials.ts'
import type { Component } from './components.ts'
import { describeLicenses } from './licenses.ts'

/** The files that list the components of a package or an image. */
export const descriptions = ['THIRD_PARTY_LICENSES', 'sbom.cdx.json'] as const

/** Writes the descriptions of the components into a folder. `version` is that of Proofroom. */
export function writeDescriptions(folder: string, version: string, components: Component[]): void {
  const [licenses, materials] = descriptions
  writeFileSync(join(folder, licenses), describeLicenses(components))
  writeFileSync(join(folder, materials), describeMaterials(version, components))
}
