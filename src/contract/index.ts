export * from './article.ts';
export * from './category.ts';
export * from './envelope.ts';
export * from './headers.ts';
export * from './routes.ts';
export * from './tag.ts';
export * from './texts.ts';
export * from './tools.ts';
