import { testHabits } from './support/play.ts';

testHabits('ids', ['author', 'deathFirst', 'clone', 'secondMachine', 'swap', 'undone']);
