/** Pages that stand before a page: told by what they say and by how little that is. */
import type { HeadFacts } from './head-facts';
import type { FetchedPage, PageFailure } from './page';

export interface SeenPage {
  readonly page: FetchedPage;
  readonly head: HeadFacts;
  /** All that the page shows. */
  readonly text: string;
  /** Letters of its content. */
  readonly letters: number;
  readonly consent: string;
}

/** A page with more to read is one to be read. */
const FEW_LETTERS = 600;
/** A sentence or a table of prices is a page, too. */
const HARDLY_ANY = 80;

const BOT_TITLE =
  /^(?:just a moment|attention required|access denied|please wait|ddos-guard|one more step|security check|are you (?:a )?(?:human|robot)|robot check|human verification|verify(?:ing)? (?:you are|that you are) human|un momento|comprobaci[oó]n de seguridad|checking your browser)/i;
const BOT_WORDS =
  /verify (?:that )?you(?:'re| are) (?:a )?human|are you a robot|not a robot|unusual traffic|enable cookies and javascript to continue|checking (?:if the site connection is secure|your browser)|complete the (?:security check|captcha)|solve the captcha|no (?:soy|eres) un robot|verifi(?:ca|que) que (?:eres|es) (?:un )?humano|tr[aá]fico inusual|incapsula incident|\bray id:|request unsuccessful|bot detection|automated (?:access|requests)/i;
const LOGIN_TITLE =
  /\b(?:log[- ]?in|sign[- ]?in|log on|sign on|iniciar sesi[oó]n|inicio de sesi[oó]n|acceder|acceso|identif[ií]cate|anmelden|connexion|entrar)\b/i;
const LOGIN_PATH =
  /\/(?:log-?in|sign-?in|signin|auth|sso|oauth2?|accounts?\/login|users\/sign_in|acceso|iniciar-sesion)(?:[/.?]|$)/i;
const GONE_TITLE =
  /^\W*(?:404\b|error 404|(?:page |file )?not found|p[aá]gina no encontrada|no (?:se )?(?:ha )?encontrad[oa]|seite nicht gefunden|page introuvable|410\b)/i;
const CONSENT_HOST = /^(?:consent|guce|cmp|privacy-mgmt)\./i;
const CONSENT_ASKS =
  /\b(?:we (?:and our (?:\d+ )?partners )?use cookies|before you continue|accept (?:all )?cookies|your privacy (?:choices|matters)|utilizamos cookies|usamos cookies|aceptar (?:todas|todo|las cookies)|antes de (?:ir|continuar)|wir verwenden cookies|alle akzeptieren|nous utilisons des cookies|tout accepter)\b/i;
const NEEDS_SCRIPT =
  /(?:enable|turn on|requires?|needs?|without) java ?script|java ?script (?:is )?(?:required|disabled|not enabled)|(?:habilit|activ)[ae]r? java ?script|(?:requiere|necesita) java ?script|java ?script aktivieren|activer java ?script/i;

/** What an answer with a bad status says; undefined for a good one. */
export function refusal(page: FetchedPage, title = '', text = '', hasPassword = false): PageFailure | undefined {
  const { status, headers } = page;
  if (status < 400) return undefined;
  if (headers['cf-mitigated'] === 'challenge' || BOT_TITLE.test(title) || BOT_WORDS.test(text)) return botCheck();
  if (status === 404 || status === 410)
    return { outcome: 'gone', why: `the server says that there is no such page (status ${status}).` };
  if (status === 401 || status === 407 || (status === 403 && hasPassword)) return login();
  return { outcome: 'http_error', why: `the server answered with status ${status} instead of the page.` };
}

/** The wall that stands instead of a page; undefined for a page. */
export function wallOf({ page, head, text, letters, consent }: SeenPage): PageFailure | undefined {
  const few = letters < FEW_LETTERS;
  const url = new URL(page.url);
  if (few && (BOT_TITLE.test(head.title) || BOT_WORDS.test(text))) return botCheck();
  if (
    CONSENT_HOST.test(url.hostname) ||
    (letters < HARDLY_ANY && consent !== '') ||
    (few && CONSENT_ASKS.test(text) && letters < 400)
  ) {
    return {
      outcome: 'consent_wall',
      why: 'the page shows nothing before somebody agrees to its cookies, which this server does for nobody.',
    };
  }
  if (
    few &&
    (head.hasPassword || LOGIN_PATH.test(url.pathname)) &&
    (LOGIN_TITLE.test(head.title) || LOGIN_TITLE.test(text))
  ) {
    return login();
  }
  if (few && GONE_TITLE.test(head.title))
    return { outcome: 'gone', why: 'the page says that it is not there any more.' };
  if (letters >= HARDLY_ANY) return undefined;
  if (
    NEEDS_SCRIPT.test(text) ||
    NEEDS_SCRIPT.test(head.noscript) ||
    (letters < 50 && head.scripts > 0 && head.hasMountPoint)
  ) {
    return {
      outcome: 'needs_script',
      why: 'the page is drawn by its scripts, which are not run here, and carries no data of its own.',
    };
  }
  return undefined;
}

export const isGoneTitle = (title: string): boolean => GONE_TITLE.test(title);

const botCheck = (): PageFailure => ({
  outcome: 'bot_check',
  why: 'the site wants to see a person before it shows the page. This server does not pretend to be one.',
});
const login = (): PageFailure => ({ outcome: 'login', why: 'the page is shown only to those who have signed in.' });
