/** Variables that change how a program runs. None of them can hold a secret of the service. */
const inherited = [
  ...['PATH', 'TMPDIR', 'TZ', 'LANG', 'LC_ALL', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH'],
  ...['MALLOC_ARENA_MAX', 'NODE_COMPILE_CACHE', 'UV_THREADPOOL_SIZE'],
] as const

/** Returns the environment of a child process or worker thread: a few variables of this process, and `more`. */
export const childEnvironment = (more: Record<string, string> = {}): Record<string, string> => ({
  ...Object.fromEntries(inherited.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []))),
  ...more,
})
