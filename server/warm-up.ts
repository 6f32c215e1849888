// Fills the compile cache: loads the modules that the service, its SQLite thread and its image workers load at start.
import './commands/run-command.ts'
import './main.ts'
import './platform/database/sqlite-thread.ts'
import './platform/media/image-worker.ts'

process.exit()
