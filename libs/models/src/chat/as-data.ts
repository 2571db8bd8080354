import { withoutControlTokens } from './control-tokens';

/**
 * A text that is data, whatever it says: between marks that nothing inside it can write (SEC-146). The marks are the
 * same in every request, so that prompts of one conversation begin alike (decisions/0010).
 */
export const asData = (content: string, mark: 'tool_data' | 'document_data' = 'tool_data'): string =>
  `<${mark}>\n${withoutControlTokens(content).replace(MARK, '<$1$2-data')}\n</${mark}>`;

const MARK = /<\s*(\/?)\s*(tool|document)_data/gi;
