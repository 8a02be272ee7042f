import { once } from '../../../model/once.ts';
import type { Scope } from './scope.ts';
import type { Callable } from './values.ts';
import { parsedVue, vueComponent } from './vue.ts';

/**
 * What the parts of a team page in VitePress' default theme show (https://vitepress.dev/reference/default-theme-team-page), written as components of Vue: the
 * page gives its lists to them as it does to its own ones.
 */
const SOURCES: Readonly<Record<string, string>> = {
  VPTeamPage: '<template><div><slot /></div></template>',
  VPTeamPageTitle: `<template><div>
    <div v-if="$slots.title"><slot name="title" /></div>
    <div v-if="$slots.lead"><slot name="lead" /></div>
  </div></template>`,
  VPTeamPageSection: `<template><div>
    <div v-if="$slots.title"><slot name="title" /></div>
    <div v-if="$slots.lead"><slot name="lead" /></div>
    <slot name="members" />
  </div></template>`,
  VPTeamMembers: `<script setup>
defineProps({ size: String, members: Array })
</script>
<template><ul><li v-for="member in members">
    <img v-if="member.avatar" :src="member.avatar" :alt="member.name" width="48" /> <strong>{{ member.name }}</strong>
    <p v-if="member.title || member.org">{{ member.title }}<span v-if="member.title && member.org"> @ </span>
      <a v-if="member.org && member.orgLink" :href="member.orgLink">{{ member.org }}</a>
      <span v-if="member.org && !member.orgLink">{{ member.org }}</span></p>
    <p v-if="member.desc" v-html="member.desc" />
    <p v-if="member.links"><span v-for="link in member.links"><a :href="link.link">{{ link.ariaLabel || (typeof link.icon === 'string' ? link.icon : link.link) }}</a> </span></p>
    <p v-if="member.sponsor"><a :href="member.sponsor">{{ member.actionText || 'Sponsor' }}</a></p>
  </li></ul></template>`,
};

const PARSED = new Map(
  Object.entries(SOURCES).map(([name, source]) => [name, once(() => parsedVue(source))] as const),
);

/** Undefined: the theme has no such part. */
export function teamPart(name: string, scope: Scope): Callable | undefined {
  const parsed = PARSED.get(name)?.();
  return parsed === undefined ? undefined : vueComponent(parsed, scope);
}
