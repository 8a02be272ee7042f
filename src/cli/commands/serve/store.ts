import { resolve } from 'node:path';
import { SetupError } from '../../../config/setup-error.ts';
import { visible } from '../../../model/visible.ts';
import { DATABASE_URL, withStore } from './database.ts';
import { EXIT } from '../../run/exit.ts';
import { JSON_FORMAT } from '../../print/json.ts';
import { counted } from '../../print/terminal/numbers.ts';
import { momentOf } from '../../flags.ts';
import { screen as screenOf } from '../../print/terminal/screen.ts';
import type { World } from '../../world.ts';
import type { AuditFlags, DatabaseFlags } from './command.ts';

/** `serve backup`: a copy of the database while the service runs; an existing file is never written over. */
export async function backupCommand(to: string, flags: DatabaseFlags, world: World): Promise<number> {
  const screen = screenOf(world, flags);
  if (flags.db === DATABASE_URL) {
    throw new SetupError('usage', 'a PostgreSQL database is backed up with its own tools', {
      help: 'pg_dump --format=custom --file=kb.dump "$DATABASE_URL"',
    });
  }
  const file = resolve(world.cwd, flags.db);
  if ((await world.files.modifiedMs(file)) === undefined) {
    throw new SetupError('usage', `there is no database \`${visible(flags.db)}\``);
  }
  const copy = resolve(world.cwd, to);
  if ((await world.files.modifiedMs(copy)) !== undefined) {
    throw new SetupError('refused', `\`${visible(to)}\` exists already; a backup replaces no file`);
  }
  const { backupSqlite } = await import('../../../service/store/sqlite/backup.ts');
  backupSqlite(file, copy);
  // After the database: a file that a copied article shows is there then.
  const { copyFiles, folderBeside } = await import('../../../service/files/disk.ts');
  const files = await copyFiles(folderBeside(file), folderBeside(copy));
  if (screen.isJson) screen.document({ format: JSON_FORMAT, db: flags.db, backup: to, files });
  else {
    const beside = files === 0 ? '' : ` and ${counted(files, 'file')} to ${visible(folderBeside(to))}`;
    screen.answer(`copied ${visible(flags.db)} to ${visible(to)}${beside}`);
  }
  return EXIT.done;
}

/** `serve check`: exit 1 when the database holds what no write of the service makes. */
export async function checkStoreCommand(flags: DatabaseFlags, world: World): Promise<number> {
  const screen = screenOf(world, flags);
  return withStore({ file: flags.db, mustExist: true }, world, async (store) => {
    const { checkStore } = await import('../../../service/store/check.ts');
    const findings = await checkStore(store);
    if (screen.isJson) screen.document({ format: JSON_FORMAT, findings });
    else {
      for (const { code, message } of findings) screen.answer(`${code}: ${visible(message)}`);
      if (findings.length === 0) screen.answer('nothing is wrong');
      else screen.talk(`${counted(findings.length, 'finding')}; a backup from before it may be needed`);
    }
    return findings.length === 0 ? EXIT.done : EXIT.failed;
  });
}

/** `serve audit`: who wrote what, and when; the oldest first. */
export async function auditCommand(flags: AuditFlags, world: World): Promise<number> {
  const screen = screenOf(world, flags);
  const sinceMs = flags.since === undefined ? undefined : momentOf('--since', flags.since);
  return withStore({ file: flags.db, mustExist: true }, world, async (store) => {
    const { listAudit } = await import('../../../service/records/audit.ts');
    const { listKeys } = await import('../../../service/keys/keys.ts');
    const wanted = flags.key;
    // A key goes by its prefix or by its name, and several keys may have one name.
    const prefixes =
      wanted === undefined
        ? [undefined]
        : (await listKeys({ store }))
            .filter(({ prefix, name }) => prefix === wanted || name === wanted)
            .map(({ prefix }) => prefix);
    const lists = await Promise.all(
      prefixes.map((keyPrefix) =>
        listAudit(store, {
          countMax: flags.limit,
          ...(sinceMs === undefined ? {} : { sinceMs }),
          ...(keyPrefix === undefined ? {} : { keyPrefix }),
          ...(flags.record === undefined ? {} : { recordId: flags.record }),
        }),
      ),
    );
    const entries = lists.flat().sort((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)));
    if (screen.isJson) {
      screen.document({ format: JSON_FORMAT, entries });
      return EXIT.done;
    }
    for (const { at, action, kind, recordId, language, name, key } of entries) {
      const lang = language === null ? '' : ` ${visible(language)}`;
      screen.answer(
        `${at}  ${key === null ? 'a command here' : visible(key.name)}  ${action} ${kind}${lang} "${visible(name)}" ${recordId}`,
      );
    }
    if (entries.length === 0) screen.talk('no writes');
    return EXIT.done;
  });
}
