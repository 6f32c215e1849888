// Loads all modules of the service, its threads and its image workers to fill the compile cache.
import './commands/run-command.ts'
import './main.ts'
import './platform/database/sqlite-thread.ts'
import './platform/media/image-worker.ts'

process.exit()
