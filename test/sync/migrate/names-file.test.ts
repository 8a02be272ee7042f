import { describe, expect, test } from 'vitest';
import { familyFrom } from '../../../src/model/key.ts';
import { namesFile } from '../../../src/sync/migrate/names-file.ts';
import { seededRandom } from '../../support/random.ts';
import { simulatedDisk } from '../../support/simulated-disk.ts';
import type { SimulatedDisk } from '../../support/simulated-disk.ts';

const FILE = '/work/.kbsync/migrate.json.names';
const SOURCE = 'https://old.test';
const NAMES = new Map([['article 7f3a', familyFrom('article', 'start/install')]]);

async function diskWith(text: string): Promise<SimulatedDisk> {
  const disk = simulatedDisk(seededRandom(1));
  await disk.makeDirectory('/work/.kbsync');
  await disk.write(FILE, text);
  return disk;
}

describe('the names of a migration', () => {
  test('are read back as they were saved', async () => {
    const disk = simulatedDisk(seededRandom(1));
    expect(await namesFile(FILE, SOURCE, disk).load({ needed: false })).toEqual(new Map());
    await namesFile(FILE, SOURCE, disk).save(NAMES);
    expect(await namesFile(FILE, SOURCE, disk).load({ needed: false })).toEqual(NAMES);
  });

  test('survive a power cut once they are saved', async () => {
    const disk = simulatedDisk(seededRandom(1));
    await namesFile(FILE, SOURCE, disk).save(NAMES);
    disk.losePower();
    expect(await namesFile(FILE, SOURCE, disk).load({ needed: false })).toEqual(NAMES);
  });

  test.each([
    ['', 'does not hold the names'],
    ['{"format":2,"source":"https://old.test","names":{}}', 'does not hold the names'],
    ['{"format":1,"source":"https://old.test","names":{"article 1":"x"}}', '"x" is not the name of a record'],
  ])('are refused when the file is not as written: %s', async (text, why) => {
    const names = namesFile(FILE, SOURCE, await diskWith(text));
    await expect(names.load({ needed: false })).rejects.toMatchObject({
      code: 'damaged',
      message: expect.stringContaining(why),
    });
  });

  test('are not made anew where a state stands on them', async () => {
    const names = namesFile(FILE, SOURCE, simulatedDisk(seededRandom(1)));
    await expect(names.load({ needed: true })).rejects.toMatchObject({ code: 'damaged' });
  });

  test('of another source are refused', async () => {
    const disk = await diskWith('{"format":1,"source":"https://other.test","names":{}}');
    await expect(namesFile(FILE, SOURCE, disk).load({ needed: false })).rejects.toMatchObject({
      code: 'other-origin',
    });
  });
});
