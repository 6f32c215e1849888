// Loads all that the service, its threads and its image workers load, and ends: what was compiled stays cached.
import './commands/run-command.ts'
import './main.ts'
import './platform/database/sqlite-thread.ts'
import './platform/media/image-worker.ts'

process.exit()
