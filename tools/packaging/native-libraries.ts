/** Libraries in the native code of npm packages. The packages name only their own license, or none of their libraries. */

/** `license` is an SPDX expression. `version` is null where the binary does not contain it. */
export type NativeLibrary = { name: string; version: string | null; license: string; source: string }

type NativePackage = {
  /** How the names of the npm packages begin: there is one for each platform. */
  names: string
  /** The version that this list was checked with. Check the list again for another version. */
  version: string
  libraries: NativeLibrary[]
}

const library = (name: string, version: string | null, license: string, source: string): NativeLibrary => ({
  name,
  version,
  license,
  source,
})

/** FFmpeg without parts under the GPL, and the libraries that it is built with. Versions are those of the recipe of 1.3.0. */
const codecs: NativePackage = {
  names: '@node-webcodecs/static-',
  version: '1.3.0',
  libraries: [
    library('FFmpeg', '8.0.3', 'LGPL-2.1-or-later', 'https://git.ffmpeg.org/ffmpeg.git'),
    library('LAME', '3.100', 'LGPL-2.0-or-later', 'https://lame.sourceforge.io'),
    library('OpenH264', '2.6.0', 'BSD-2-Clause', 'https://github.com/cisco/openh264'),
    library('libvpx', '1.16.0', 'BSD-3-Clause', 'https://chromium.googlesource.com/webm/libvpx'),
    library('SVT-AV1', '4.2.0', 'BSD-3-Clause-Clear', 'https://gitlab.com/AOMediaCodec/SVT-AV1'),
    library('dav1d', '1.5.4', 'BSD-2-Clause', 'https://code.videolan.org/videolan/dav1d'),
    library('libopus', '1.6.1', 'BSD-3-Clause', 'https://gitlab.xiph.org/xiph/opus'),
    library('zlib', '1.3.1', 'Zlib', 'https://zlib.net'),
  ],
}

/** Named as in `versions.json` of the packages @img/sharp-libvips-*, which has the versions. */
const imageLibraries: Record<string, [license: string, source: string]> = {
  aom: ['BSD-2-Clause', 'https://aomedia.googlesource.com/aom'],
  archive: ['BSD-2-Clause', 'https://github.com/libarchive/libarchive'],
  cairo: ['LGPL-2.1-only OR MPL-1.1', 'https://gitlab.freedesktop.org/cairo/cairo'],
  cgif: ['MIT', 'https://github.com/dloebl/cgif'],
  exif: ['LGPL-2.1-or-later', 'https://github.com/libexif/libexif'],
  expat: ['MIT', 'https://github.com/libexpat/libexpat'],
  ffi: ['MIT', 'https://github.com/libffi/libffi'],
  fontconfig: ['HPND-sell-variant', 'https://gitlab.freedesktop.org/fontconfig/fontconfig'],
  freetype: ['FTL', 'https://gitlab.freedesktop.org/freetype/freetype'],
  fribidi: ['LGPL-2.1-or-later', 'https://github.com/fribidi/fribidi'],
  glib: ['LGPL-2.1-or-later', 'https://gitlab.gnome.org/GNOME/glib'],
  harfbuzz: ['MIT-Modern-Variant', 'https://github.com/harfbuzz/harfbuzz'],
  heif: ['LGPL-3.0-or-later', 'https://github.com/strukturag/libheif'],
  highway: ['Apache-2.0 OR BSD-3-Clause', 'https://github.com/google/highway'],
  imagequant: ['BSD-2-Clause', 'https://github.com/lovell/libimagequant'],
  lcms: ['MIT', 'https://github.com/mm2/Little-CMS'],
  mozjpeg: ['IJG AND BSD-3-Clause AND Zlib', 'https://github.com/mozilla/mozjpeg'],
  pango: ['LGPL-2.1-or-later', 'https://gitlab.gnome.org/GNOME/pango'],
  pixman: ['MIT', 'https://gitlab.freedesktop.org/pixman/pixman'],
  png: ['libpng-2.0', 'https://github.com/pnggroup/libpng'],
  'proxy-libintl': ['LGPL-2.1-or-later', 'https://github.com/frida/proxy-libintl'],
  rsvg: ['LGPL-2.1-or-later', 'https://gitlab.gnome.org/GNOME/librsvg'],
  tiff: ['libtiff', 'https://gitlab.com/libtiff/libtiff'],
  uhdr: ['MIT', 'https://github.com/google/libultrahdr'],
  vips: ['LGPL-2.1-or-later', 'https://github.com/libvips/libvips'],
  webp: ['BSD-3-Clause', 'https://chromium.googlesource.com/webm/libwebp'],
  xml2: ['MIT', 'https://gitlab.gnome.org/GNOME/libxml2'],
  'zlib-ng': ['Zlib', 'https://github.com/zlib-ng/zlib-ng'],
}

export const nativePackages: NativePackage[] = [
  codecs,
  {
    names: '@node-rs/argon2-',
    version: '2.2.1',
    libraries: [
      library('argon2-rust', '1.1.0', 'MIT', 'https://github.com/Brooooooklyn/argon2-rust'),
      library('rand', null, 'MIT OR Apache-2.0', 'https://github.com/rust-random/rand'),
      library('napi-rs', null, 'MIT', 'https://github.com/napi-rs/napi-rs'),
    ],
  },
  {
    names: 'better-sqlite3',
    version: '13.2.0',
    libraries: [library('SQLite', null, 'blessing', 'https://sqlite.org/src')],
  },
]

/** Returns the libraries that libvips is built with. Throws if there is one whose license is not in the list. */
export function listImageLibraries(versions: Record<string, string>): NativeLibrary[] {
  return Object.entries(versions).map(([name, version]) => {
    const known = imageLibraries[name]
    if (!known) throw new Error(`libvips contains ${name}: add its license to tools/packaging/native-libraries.ts`)
    return library(name, version, ...known)
  })
}
