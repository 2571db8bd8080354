import type { ContextFilter } from '@app/contract';

/** The model may narrow the caller's scope, never widen it. Nothing in common means nothing to look at. */
export function narrow(filter: ContextFilter, asked?: readonly string[]): ContextFilter {
  if (!asked?.length) return filter;
  const { artifacts: allowed } = filter;
  return { ...filter, artifacts: allowed ? asked.filter((id) => allowed.includes(id)) : [...asked] };
}
