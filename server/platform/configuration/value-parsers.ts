import { accessSync, constants, statSync } from 'node:fs'
import { resolve } from 'node:path'
import ipaddr from 'ipaddr.js'
import { parseMailAddress, parseSmtpUrl } from '../mail/mail-config.ts'

/**
 * Describes and parses a variable. `read` gets a trimmed value; it throws an Error whose message continues after the
 * variable's name and never contains the value.
 */
export type ValueParser<T> = { expects: string; read: (value: string) => T }

export const text = (minimum: number, maximum: number): ValueParser<string> => ({
  expects: minimum > 1 ? `${minimum} to ${maximum} characters` : `at most ${maximum} characters`,
  read(value) {
    if (value.length < minimum) throw new Error(`must have at least ${minimum} characters`)
    if (value.length > maximum) throw new Error(`must have at most ${maximum} characters`)
    return value
  },
})

export const integer = (minimum: number, maximum: number): ValueParser<number> => ({
  expects: `${minimum} to ${maximum}`,
  read(value) {
    const number = Number(value)
    if (!/^\d+$/.test(value) || number < minimum || number > maximum) {
      throw new Error(`must be a whole number from ${minimum} to ${maximum}`)
    }
    return number
  },
})

/** Ignores the case of the value, so the keys of `values` must be lowercase. */
export const oneOf = <T>(values: Record<string, T>): ValueParser<T> => ({
  expects: Object.keys(values)
    .map((word) => `\`${word}\``)
    .join(', '),
  read(value) {
    const found = Object.hasOwn(values, value.toLowerCase()) ? values[value.toLowerCase()] : undefined
    if (found === undefined) throw new Error(`must be one of ${Object.keys(values).join(', ')}`)
    return found
  },
})

export const path: ValueParser<string> = { expects: 'a path', read: (value) => resolve(text(1, 4096).read(value)) }

export const program: ValueParser<string> = {
  expects: 'the path of a program',
  read(value) {
    const file = resolve(value)
    if (!isProgram(file)) throw new Error('must be the path of an executable file')
    return file
  },
}

export function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}

export const origin: ValueParser<string> = {
  expects: 'an address without a path, such as `https://photos.example.com`',
  read(value) {
    const url = parseWebUrl(value)
    if (!url || url.search || url.hash) throw new Error('must be an address such as https://photos.example.com')
    if (url.pathname !== '/') throw new Error('must not have a path')
    return url.origin
  },
}

export const origins: ValueParser<string[]> = {
  expects: 'comma-separated addresses without a path',
  read: (value) => parseList(value).map(origin.read),
}

export const webAddress: ValueParser<string> = {
  expects: 'an address',
  read(value) {
    const url = parseWebUrl(value)
    if (!url) throw new Error('must be an address such as https://verify.example.com/siteverify')
    return url.href
  },
}

const checked = (expects: string, isValid: (value: string) => boolean): ValueParser<string> => ({
  expects,
  read(value) {
    if (!isValid(value)) throw new Error(`must be ${expects.replaceAll('`', '')}`)
    return value
  },
})

export const postgresUrl = checked('an address such as `postgres://user:password@host:5432/proofroom`', (value) => {
  const url = URL.parse(value)
  return url !== null && /^postgres(ql)?:$/.test(url.protocol) && url.pathname.length > 1
})

export const bucketName = checked('the name of a bucket', (value) => /^[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]$/i.test(value))

export const email = checked('an email address', (value) => /^[^\s@]+@[^\s@]+$/.test(value) && value.length <= 254)

export const headerWord = checked('a word such as `Acme`', (value) =>
  /^[A-Za-z]([A-Za-z0-9-]{0,38}[A-Za-z0-9])?$/.test(value),
)

/** Returns '' or a prefix that ends with a slash. */
export const keyPrefix: ValueParser<string> = {
  expects: 'plain segments such as `studio/proofroom`',
  read(value) {
    const segments = value.split('/').filter(Boolean)
    const isPlain = segments.every((segment) => /^[a-z0-9_][a-z0-9_.-]*$/i.test(segment))
    if (!isPlain) throw new Error('must consist of plain segments such as studio/proofroom')
    return segments.map((segment) => `${segment}/`).join('')
  },
}

export const sender = {
  expects: 'an email address such as `photos@example.com` or `Studio <photos@example.com>`',
  read: parseMailAddress,
}

export const smtpUrl = { expects: 'an address such as `smtp://user:password@host:587`', read: parseSmtpUrl }

export const proxies: ValueParser<false | number | string[]> = {
  expects: '`off`, a number of hops, or comma-separated addresses and CIDRs',
  read(value) {
    if (value.toLowerCase() === 'off') return false
    if (/^\d{1,2}$/.test(value)) return Number(value)
    const ranges = parseList(value)
    if (ranges.length === 0 || !ranges.every(isProxyRange)) {
      throw new Error('must be off, a number of hops, or comma-separated addresses and CIDRs')
    }
    return ranges
  },
}

/** Fastify supports these three names of ranges, and rejects a range of all addresses. */
const isProxyRange = (range: string): boolean =>
  ['loopback', 'linklocal', 'uniquelocal'].includes(range) ||
  ipaddr.IPv4.isValidFourPartDecimal(range) ||
  ipaddr.IPv6.isValid(range) ||
  (ipaddr.isValidCIDR(range) && !range.endsWith('/0'))

function parseWebUrl(value: string): URL | null {
  const url = URL.parse(value)
  return url && /^https?:$/.test(url.protocol) && !url.username && !url.password ? url : null
}

const parseList = (value: string): string[] =>
  value
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
