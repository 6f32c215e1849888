import { existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { quote } from '../../text/quote.ts'

export type SandboxedProgram = {
  /** The program and its arguments. */
  command: readonly string[]
  /** The file of its standard input, which it can also open as `/dev/fd/0`. */
  inputPath: string
  /** What it sees beside the programs and libraries of the system. All of this is read-only. */
  visiblePaths: readonly string[]
  /** A folder that stays hidden if it is in a visible one. */
  privateFolder?: string
}

/** Programs and libraries, with what the dynamic linker reads. `/nix` and `/gnu` have those of NixOS and Guix. */
const systemPaths = [
  ...['/bin', '/lib', '/lib64', '/usr/bin', '/usr/lib', '/usr/lib64', '/nix/store', '/gnu/store'],
  ...['/etc/ld.so.cache', '/etc/alternatives'],
]

/** Each Linux system has this folder, and the sandbox does not need its content. The new root is created here. */
const newRoot = '/sys'

/**
 * Returns the command line that runs a program in separate namespaces. It has no network and no `/proc`. Its root is a
 * small empty file system with the visible paths. Descriptors that are open already stay usable.
 *
 * The inner `unshare` gives up the rights over the outer namespaces, so that no mount can be changed.
 */
export function enterSandbox({ command, inputPath, visiblePaths, privateFolder }: SandboxedProgram): string[] {
  const visible = [...systemPaths, ...visiblePaths].filter((path) => existsSync(path))
  const outermost = visible.filter((path) => !visible.some((other) => path.startsWith(`${other}/`)))
  const [folders, files] = [outermost.filter(isFolder), outermost.filter((path) => !isFolder(path))]
  const newFolders = ['/proc', '/dev/fd', ...folders, ...files.map(dirname)]
  const newFiles = ['/dev/null', '/dev/fd/0', ...files]
  const mounts = [
    formatMount('/dev/null', '/dev/null', 'bind'),
    formatMount(inputPath, '/dev/fd/0', 'bind,ro,nosuid,nodev,noexec'),
    ...outermost.map((path) => formatMount(path, path, 'rbind,ro,nosuid,nodev')),
  ]
  const script = [
    'set -e',
    `mount -t tmpfs -o mode=755,size=1m none ${newRoot}`,
    `mkdir -p ${newFolders.map(quoteInNewRoot).join(' ')}`,
    ...newFiles.map((path) => `: > ${quoteInNewRoot(path)}`),
    // The mount of /bin covers this list. One command for all mounts saves a process for each of them.
    `printf '%s\\n' ${quote(mounts.join('\n'))} > ${newRoot}/bin/mounts`,
    `mount --all --fstab ${newRoot}/bin/mounts`,
    ...(privateFolder === undefined ? [] : [hideFolder(quoteInNewRoot(privateFolder))]),
    `cd ${newRoot}`,
    'pivot_root . proc',
    // `umount` reads the list of mounts in `/proc`, which the new root does not have.
    'unshare --root=/proc umount --lazy /',
    'exec unshare --user --mount -- "$@"',
  ].join('\n')
  return [...createNamespaces, 'sh', '-c', script, 'sandbox', ...command]
}

const createNamespaces = 'unshare --user --map-root-user --mount --net --ipc --pid --fork --kill-child'.split(' ')

const isFolder = (path: string): boolean => statSync(path).isDirectory()
const quoteInNewRoot = (path: string): string => quote(newRoot + path)
const hideFolder = (folder: string): string => `if [ -d ${folder} ]; then mount -t tmpfs -o ro none ${folder}; fi`

/** Returns a line in the format of fstab(5), which escapes characters as octal numbers. */
const formatMount = (source: string, target: string, options: string): string =>
  [escapeOctal(source), escapeOctal(newRoot + target), 'none', options, '0 0'].join(' ')

const escapeOctal = (path: string): string =>
  path.replace(/[\s\\]/g, (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`)
