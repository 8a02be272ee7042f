import { expect, test } from 'vitest';
import type { CrashScenario } from './crash-scenarios.ts';
import { CRASH_SCENARIOS } from './crash-scenarios.ts';
import { crashed } from './crash.ts';
import { habitsOf } from './shard.ts';
import { simulate } from './simulate.ts';
import type { SimulateOptions } from './simulate.ts';

/** Worlds in which a run once did wrong. What each showed then is its name; the fix is in the history of src/sync. */
const WORLDS: readonly (SimulateOptions & { readonly seed: number; readonly was: string })[] = [
  { seed: 22, was: 'a category was sent below one that was yet to be made, for the sake of a slug' },
  { seed: 26, was: 'slugs that change places stopped two records for ever' },
  { seed: 62, was: "an edit between two of our own writes was covered by the second one's date" },
  { seed: 77, was: 'a record that somebody made meanwhile was taken for a create that was lost' },
  { seed: 88, was: 'an edit that was met while writing was not told afterwards' },
  { seed: 91, was: 'a translation left behind by its original claimed the id of the moved record' },
  { seed: 108, was: "an original was deleted together with somebody else's translation" },
  { seed: 157, was: 'an edit of a translation was covered by the read-back of its original' },
  { seed: 185, was: 'a translation was deleted although its file had only moved away from the original' },
  { seed: 205, was: 'a create that the service confirmed was sent again after its slug was edited' },
  { seed: 239, was: "an editor's text was taken for what the service makes of ours" },
  { seed: 408, was: 'a translation kept a value of its original that its file clears' },
  { seed: 811, was: 'a translation left behind was forgotten and kept its slug for ever' },
  {
    seed: 44020,
    personality: { showsUse: true },
    was: 'a category was sent for deletion by each run, although an article of nobody was in it',
  },
  {
    seed: 4171,
    ...habitsOf(4171),
    was: 'slugs that were to change places stayed out of the way for ever, because the files went back after a death',
  },
  {
    seed: 7151,
    ...habitsOf(7151),
    was: 'an edit of a category that no list shows was forgotten when the run died before its file went back',
  },
  {
    seed: 24979,
    ...habitsOf(24979),
    was: 'all files of one language were gone, which is no small part where a run is about that language alone',
  },
  {
    seed: 114902,
    ...habitsOf(114902),
    was: 'an edit of a record whose file was away was forgotten when its read failed, and the file came back',
  },
  {
    seed: 127113,
    was: "a category that is nobody's had got the slug of a new file where no list shows it, and was made twice",
  },
  {
    seed: 313953,
    ...habitsOf(313953),
    was: 'a file that another machine had moved, edited and synced got a second record from the machine with the older state',
  },
  {
    seed: 2771,
    ...habitsOf(2771),
    was: 'a translation that an earlier move had left behind took the new place of the original, which got a second record',
  },
  {
    seed: 200099,
    ...habitsOf(200099),
    was: 'a tag was deleted although a read between its own read and its delete had shown an edit',
  },
  {
    seed: 201582,
    ...habitsOf(201582),
    was: 'an edit of a protected translation was forgotten while its file was away',
  },
  {
    seed: 201802,
    ...habitsOf(201802),
    was: "an editor's slug, saved right after a create, was taken for the service's and deleted with the record",
  },
  {
    seed: 221351,
    ...habitsOf(221351),
    was: 'an edit of a field that a file leaves empty, made right after a create, was called in sync',
  },
  {
    seed: 398149,
    ...habitsOf(398149),
    was: 'an edit of a translation was overwritten: its read counted from the read of the original, which waited for its turn',
  },
  {
    seed: 290518,
    ...habitsOf(290518),
    was: 'an edit was overwritten while the answer to our read was under way for seconds',
  },
  {
    seed: 265055,
    ...habitsOf(265055),
    was: "two files took each other's names, one of them said an earlier name, and its page was made a second time",
  },
  {
    seed: 390095,
    ...habitsOf(390095),
    was: "a file that said an earlier name got another page's record, because that had the file's name",
  },
  {
    seed: 311823,
    ...habitsOf(311823),
    was: "a file said a name that had been another page's at the last sync, and took its record",
  },
  {
    seed: 328462,
    ...habitsOf(328462),
    was: 'a file that went back to its old name after a death was called in sync, though its record had the text of the other name',
  },
  {
    seed: 346630,
    ...habitsOf(346630),
    was: 'an article that an editor had deleted, and another machine had made again under a new title, was made once more',
  },
  {
    seed: 349254,
    ...habitsOf(349254),
    was: 'a category that an editor had deleted, and another machine had made again under a new slug, was made once more',
  },
  {
    seed: 357439,
    ...habitsOf(357439),
    was: 'a create that was still under way was forgotten, because an editor had made a record of its name',
  },
  {
    seed: 360630,
    ...habitsOf(360630),
    was: 'two records without a file had the text of a renamed page, and it was made a third time, though only one had its translation',
  },
  {
    seed: 212834,
    ...habitsOf(212834),
    was: 'two tags without a file had the text of a renamed one, and it was made anew, though only one had its name',
  },
  {
    seed: 256142,
    ...habitsOf(256142),
    was: 'a category that got another path and slug, and kept its name, was made anew',
  },
  {
    seed: 391201,
    ...habitsOf(391201),
    was: 'a tag that an editor made right after deleting ours, with its name and slug and another text, was called ours without a text',
  },
  {
    seed: 1071889,
    ...habitsOf(1071889),
    was: "an editor's tag of our name was taken for ours, whose slug the editor had changed before its id was known",
  },
  {
    seed: 1057970,
    ...habitsOf(1057970),
    was: 'a translation kept the slug that a run which died had moved out of the way, because its file was gone in the next run and came back later',
  },
  {
    seed: 1096349,
    ...habitsOf(1096349),
    was: 'a file that had moved after a create without an answer was in conflict with its record, and the next run made it a second time',
  },
  {
    seed: 2023624,
    ...habitsOf(2023624),
    was: 'a tag of ours was made again though another machine had done so, because an editor had made another one of the first',
  },
  {
    seed: 2041299,
    ...habitsOf(2041299),
    was: "a category was deleted with the slug of an editor, which ends in the category's id",
  },
  { seed: 5699, was: 'a write waited for Retry-After upon a read from before it' },
  {
    seed: 45128,
    was: 'an original was deleted with a translation that somebody had edited and the user had let stand',
  },
  { seed: 41081, was: 'a moved file of which only a translation was known got a second record' },
  { seed: 22187, was: 'drift that a write had met was forgotten when the run died after it' },
  { seed: 22152, was: 'an edit between a create and the look for its id was covered by that look' },
  { seed: 17678, was: "somebody else's category of our name was taken for the one whose create was lost" },
  { seed: 13979, was: 'a translation was added to a record that only had its slug from our original' },
  {
    seed: 618,
    was: 'ids were found for one kind, could not be looked up for the next, and the first were settled twice',
    climate: { faults: 0.2, crashes: 0, editor: 0.3, secondClient: 0, choices: 0 },
    personality: { headers: false, slugs: 'accept-doubles' },
  },
  {
    seed: 605516,
    ...habitsOf(605516),
    was: "a translation that its original left behind kept its slug for ever after a new page took the original's old name",
  },
  {
    seed: 608954,
    ...habitsOf(608954),
    was: 'a translation of a page that was moved and made anew changed its question from run to run',
  },
  {
    seed: 2075983,
    ...habitsOf(2075983),
    was: 'a slug that a dead run had left out of the way stayed there, because a translation was written meanwhile',
  },
  {
    seed: 741798,
    ...habitsOf(741798),
    was: 'a translation was deleted although its file had only moved away, because the answer to its last edit was lost',
  },
  {
    seed: 737667,
    ...habitsOf(737667),
    was: 'a create was sent again because a list did not show it that was read, 15 s of reads before, too early to tell',
  },
  {
    seed: 2169008,
    ...habitsOf(2169008),
    was: 'a run in sync read a list twice more for a create that had long been found',
  },
  {
    seed: 2123555,
    ...habitsOf(2123555),
    was: 'a renamed page was made a second time, because another page without a file had its title and text',
  },
  {
    seed: 2061990,
    ...habitsOf(2061990),
    was: 'a category was sent below one that was below it on the site and could not be moved in that run',
  },
  {
    seed: 2145494,
    ...habitsOf(2145494),
    was: 'a category was sent below one whose conflict kept it below that category',
  },
  {
    seed: 2107211,
    ...habitsOf(2107211),
    was: 'a write that was refused was called an edit of the site by the next run, because an earlier try had come too late to be sent',
  },
];

for (const { seed, was, ...options } of WORLDS) {
  test(`world ${seed}, in which ${was}`, async () => {
    expect((await simulate(seed, options)).violations).toEqual([]);
  });
}

function scenario(name: string): CrashScenario {
  const found = CRASH_SCENARIOS.find((each) => each.name === name);
  if (found === undefined) throw new Error(`bug: no scenario ${name}`);
  return found;
}

test('a rename that dies before the state is saved deletes nothing', async () => {
  for (let at = 5; at <= 14; at += 1) {
    const { violations } = await crashed(scenario('a file is renamed'), [
      { where: 'disk', at, power: false },
    ]);
    expect(violations).toEqual([]);
  }
});

test('a delete that dies between a translation and its original is finished by the next run', async () => {
  for (let at = 12; at <= 22; at += 1) {
    const { violations } = await crashed(scenario('an article is deleted'), [
      { where: 'disk', at, power: true },
    ]);
    expect(violations).toEqual([]);
  }
});
