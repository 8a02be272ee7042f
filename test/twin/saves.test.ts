import { testHabits } from './support/play.ts';

testHabits('saves', ['author', 'editor', 'translate', 'clone', 'pulled']);
