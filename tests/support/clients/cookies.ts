/** Returns the cookies that a response sets, by name. Attributes are in lower case. */
export function parseSetCookies(headers: Headers): Map<string, { value: string; attributes: string[] }> {
  return new Map(
    headers.getSetCookie().map((cookie) => {
      const [pair = '', ...attributes] = cookie.split('; ')
      const [name = '', value = ''] = pair.split('=')
      return [name, { value, attributes: attributes.map((attribute) => attribute.toLowerCase()) }]
    }),
  )
}

/** Returns the name and path of each cookie that a response deletes, such as `admin_token /`. */
export const listClearedCookies = (headers: Headers): string[] =>
  [...parseSetCookies(headers)]
    .filter(([, { value, attributes }]) => value === '' && attributes.includes('expires=thu, 01 jan 1970 00:00:00 gmt'))
    .map(([name, { attributes }]) => `${name} ${attributes.find((one) => one.startsWith('path='))?.slice(5)}`)
    .sort()
