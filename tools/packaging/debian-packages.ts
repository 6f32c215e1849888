import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { Component } from './components.ts'

const fields = ['Package', 'Version', 'source:Package', 'source:Version'].map((name) => `\${${name}}`).join('\t')

/** Returns the Debian packages of this system. Their copyright files stay in /usr/share/doc. */
export function listDebianPackages(): Component[] {
  const lines = execFileSync('dpkg-query', ['--show', `--showformat=${fields}\n`], { encoding: 'utf8' })
  return lines
    .trim()
    .split('\n')
    .map((line) => {
      const [name = '', version = '', source = '', sourceVersion = ''] = line.split('\t')
      const text = readFileSync(`/usr/share/doc/${name}/copyright`, 'utf8').trim()
      const address = `https://snapshot.debian.org/package/${source}/${encodeURIComponent(sourceVersion)}/`
      return { kind: 'debian', name, version, license: licensesIn(text), source: address, text }
    })
}

/** Machine-readable copyright files name a license in each of their paragraphs. The others are named by their file. */
function licensesIn(copyright: string): string {
  const names = copyright.startsWith('Format:') ? copyright.matchAll(/^License: *(\S.*)$/gm) : []
  return [...new Set(Array.from(names, ([, name]) => name))].join(', ') || 'see its copyright file'
}
