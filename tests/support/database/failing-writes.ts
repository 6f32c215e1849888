import { isOnPostgres } from '../service/back-ends.ts'
import type { TestService } from '../service/test-service.ts'
import { changeDatabase } from './service-database.ts'

/**
 * Makes writes such as `insert on mails` or `update of is_archived on events` fail: all of them, or those whose `new`
 * row matches the SQL `condition`. Returns a function that lets them succeed again.
 */
export async function makeWritesFail(service: TestService, writes: string, condition?: string) {
  const when = condition === undefined ? '' : `when (${condition})`
  const change = (statements: string) => changeDatabase(service, (stored) => stored.exec(statements))
  await change(
    isOnPostgres
      ? `create function fail() returns trigger language plpgsql as $$ begin raise 'broken'; end $$;
         create trigger broken before ${writes} for each row ${when} execute function fail()`
      : `create trigger broken before ${writes} ${when} begin select raise(abort, 'broken'); end`,
  )
  const [, table] = writes.split(' on ')
  return () => change(isOnPostgres ? `drop trigger broken on ${table}; drop function fail` : 'drop trigger broken')
}
