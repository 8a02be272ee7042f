import { testOddServices } from '../../support/odd-services/ends.ts';

testOddServices('headers');
