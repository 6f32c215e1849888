import { Enums, Models, Serialize, Spec } from '@cyclonedx/cyclonedx-library'
import type { Component } from './components.ts'

const types = {
  npm: Enums.ComponentType.Library,
  library: Enums.ComponentType.Library,
  debian: Enums.ComponentType.Library,
  font: Enums.ComponentType.File,
  program: Enums.ComponentType.Application,
}

/** Returns a software bill of materials as CycloneDX 1.6 JSON. It is the same for the same components. */
export function describeMaterials(version: string, components: readonly Component[]): string {
  const bom = new Models.Bom()
  bom.metadata.component = new Models.Component(Enums.ComponentType.Application, 'proofroom', {
    bomRef: 'proofroom',
    version,
    licenses: new Models.LicenseRepository([new Models.SpdxLicense('MIT')]),
    purl: `pkg:npm/proofroom@${version}`,
  })
  for (const component of components) bom.components.add(toMaterial(component))
  const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6))
  return `${serializer.serialize(bom, { sortLists: true, space: 1 })}\n`
}

function toMaterial({ kind, name, version, license, source, within }: Component): Models.Component {
  const isExpression = kind !== 'debian'
  const material = new Models.Component(types[kind], name, {
    bomRef: [kind, within, name, version].filter(Boolean).join(':'),
    ...(version && { version }),
    licenses: new Models.LicenseRepository([
      isExpression ? new Models.LicenseExpression(license) : new Models.NamedLicense(license),
    ]),
    ...packageUrl(kind, name, version),
    ...(within && { description: `In the native code of the npm packages ${within}*` }),
  })
  if (source) {
    material.externalReferences.add(new Models.ExternalReference(source, Enums.ExternalReferenceType.VCS))
  }
  return material
}

function packageUrl(kind: Component['kind'], name: string, version: string | null): { purl?: string } {
  if (!version || (kind !== 'npm' && kind !== 'debian')) return {}
  const path = name.split('/').map(encodeURIComponent).join('/')
  return { purl: `pkg:${kind === 'npm' ? 'npm' : 'deb/debian'}/${path}@${encodeURIComponent(version)}` }
}
