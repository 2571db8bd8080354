/** Greetings, thanks and the polite frame around a request. */
import { fold, tokensOf } from './words';

export type SmallTalk = 'greeting' | 'thanks' | 'farewell' | 'about' | 'howAreYou';

const FRAME_START =
  /^(?:(?:hi|hello|hey|good (?:morning|afternoon|evening)|hola|buenos días|buenos dias|buenas tardes|buenas noches|buenas)(?: there| a todos)?[\s,.!:;–-]+|(?:please|por favor|kindly)[\s,]+|(?:can|could|would|will) you (?:please )?(?:tell me|show me|help me|explain|find out|let me know|look up)(?: about)?\s+|(?:can|could|would|will) you (?:please )?|(?:i(?:'d| would) like (?:you )?to (?:know|ask)|i want to know|i need to know|tell me|do you know|let me know)[\s,:]+(?:about\s+)?|(?:me )?(?:puedes|podrías|podrias|puede|podría|podria)(?: usted)? (?:(?:decir|explicar|mostrar|indicar)(?:me)?|ayudarme a saber)\s+|(?:quiero|quisiera|me gustaría|me gustaria|necesito) saber\s+|(?:dime|dígame|digame|explícame|explicame|muéstrame|cuéntame)[\s,:]+|[¿¡]\s*(?=(?:me )?(?:puedes|podrías|podrias|puede|podría|podria) )|¡\s*(?=hola))/i;
const FRAME_END =
  /[\s,.]+(?:please|por favor|thanks(?: a lot| in advance)?|thank you(?: very much)?|(?:muchas )?gracias(?: de antemano)?|cheers)[\s.!]*$/i;

/** A request without its greeting, its "could you tell me" and its thanks. */
export function withoutCourtesy(text: string): string {
  let cleaned = text.trim();
  for (let i = 0; i < 5; i++) {
    const head = cleaned.slice(0, 200).replace(FRAME_START, '');
    const next = (head + cleaned.slice(200)).trim();
    if (next === cleaned || next === '') break;
    cleaned = next;
  }
  const tail = cleaned.slice(-100);
  const shorter =
    cleaned.slice(0, -100) + tail.replace(FRAME_END, tail.includes('?') && !/\?[\s,.]*\p{L}+/u.test(tail) ? '?' : '');
  return (shorter.trim() || cleaned).trim();
}

const ALL_SMALL = new Set(
  `hi hello hey there good morning afternoon evening night day howdy greetings welcome thanks thank you so much very a lot
  many ok okay great perfect nice cool awesome excellent fine bye goodbye see later well that is was helped helpful for
  the your help it all cheers and everyone team again dear friend i am we please have take care
  hola buenas buenos dias tardes noches que tal gracias muchas muchisimas mil adios hasta luego pronto manana vale genial
  perfecto estupendo excelente bien muy todo eso es por tu su la ayuda y de nada a todos encantado encantada saludos amigo
  cuidate chao`.split(/\s+/),
);
const ABOUT =
  /^[¿¡\s]*(?:who are you|what are you|what can you do|what do you do|what is your name|whats your name|what's your name|are you (?:a |an )?(?:human|bot|ai|robot)|how do you work|help|quien eres|que eres|que puedes hacer|como te llamas|que sabes hacer|eres (?:un |una )?(?:bot|robot|humano|ia)|como funcionas|ayuda)[\s?!.]*$/;
const HOW_ARE_YOU =
  /^[¿¡\s]*(?:(?:hi|hello|hey|hola|buenas)[\s,!.¿¡]*)?(?:how are you(?: doing)?(?: today)?|hows it going|how's it going|whats up|what's up|como estas|como esta(?: usted)?|que tal(?: estas)?|como te va)[\s?!.]*$/;

/** What kind of small talk a message is; undefined when it wants something. */
export function smallTalk(message: string): SmallTalk | undefined {
  if (message.length > 200) return undefined;
  const folded = fold(message);
  if (ABOUT.test(folded)) return 'about';
  if (HOW_ARE_YOU.test(folded)) return 'howAreYou';
  const words = tokensOf(folded, 40).map(({ word }) => word);
  if (words.length === 0 || words.length > 14 || !words.every((word) => ALL_SMALL.has(word))) return undefined;
  if (words.some((word) => /^(thank|thanks|gracias|cheers)/.test(word))) return 'thanks';
  if (words.some((word) => /^(bye|goodbye|adios|later|luego|pronto|chao|cuidate)$/.test(word))) return 'farewell';
  return 'greeting';
}
