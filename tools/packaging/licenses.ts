import texts from 'spdx-license-list/full.js'
import satisfies from 'spdx-satisfies'
import type { Component } from './components.ts'

/** Licenses that allow Proofroom, under its MIT license, to contain or load a component. */
const allowed = [
  ...[
    'MIT',
    'MIT-0',
    'MIT-Modern-Variant',
    'ISC',
    '0BSD',
    'BSD-2-Clause',
    'BSD-3-Clause',
    'BSD-3-Clause-Clear',
    'BlueOak-1.0.0',
    'Apache-2.0',
    'Zlib',
  ],
  ...['CC0-1.0', 'Unlicense', 'blessing', 'HPND-sell-variant', 'FTL', 'IJG', 'libpng-2.0', 'libtiff', 'OFL-1.1'],
  // Changed files of the component must be published.
  ...['MPL-1.1', 'MPL-2.0'],
  // Libraries that can be replaced, because they are in separate files.
  ...['LGPL-2.0-or-later', 'LGPL-2.1-or-later', 'LGPL-3.0-or-later'],
]

const needsSource = /\b(LGPL|MPL)-/

/** Returns the components whose license is not allowed, or which need a link to their source and have none. */
export const findForbidden = (components: readonly Component[]): Component[] =>
  components.filter(({ license, source }) => !satisfies(license, allowed) || (needsSource.test(license) && !source))

const introduction = `Proofroom contains or installs the components below. The texts of their licenses follow the list. A component that brings
no text of its own has the standard text of its license, without the name of the holder of the copyright. Its source
names the holder.

The native packages @node-webcodecs/static-* contain FFmpeg under the GNU Lesser General Public License, built without its
parts under the GNU General Public License. Only the program of the video worker (server/built/video-worker.js) loads
them, which runs as a process of its own. They can be replaced by another build: FFmpeg is at https://ffmpeg.org, the
recipe is scripts/ffmpeg-static/build.sh in https://github.com/caseymanos/node-webcodecs (tag v1.3.0).`

/** Returns the text of THIRD_PARTY_LICENSES: the components, then each license with the components it belongs to. */
export function describeLicenses(components: readonly Component[]): string {
  const byText = Map.groupBy(components, (component) => component.text || referenceTexts(component.license))
  const sections = [...byText].map(([text, owners]) => [owners.map(title).join('\n'), text].join('\n\n'))
  return `${[introduction, components.map(line).join('\n'), ...sections].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`
}

const title = ({ name, version }: Component): string => [name, version].filter(Boolean).join(' ')

function line(component: Component): string {
  const { license, source, within } = component
  return [title(component), license, source, within && `in ${within}*`].filter(Boolean).join(' | ')
}

/** Returns the texts of the licenses that an SPDX expression names, for components that bring no text. */
const referenceTexts = (expression: string): string =>
  expression
    .split(/ (?:AND|OR) /)
    .map((name) => name.replace(/[()]/g, ''))
    .map((name) => texts[name]?.licenseText.trim() ?? `See https://spdx.org/licenses/${name}.html`)
    .join('\n\n')
