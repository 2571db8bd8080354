/** Everything the built-in model says in words of its own, in its two languages. */
import type { Language } from './language';

const ENGLISH = {
  notAnswered: 'I could not find an answer to that in the documents.',
  notAnsweredPart: (question: string) => `I could not find an answer to this in the documents: ${question}`,
  nothingFound: 'The search returned no passages, so I cannot answer that from the documents.',
  notInText: 'I could not find an answer to that in the text you sent.',
  toolFailed: (tool: string, text: string) => `The tool "${tool}" failed: ${text}`,
  toolFailedSilently: (tool: string) => `The tool "${tool}" failed without saying why.`,
  toolReturned: (tool: string, text: string) => `The tool "${tool}" returned: ${text}`,
  toolReturnedFields: (tool: string, fields: string) => `The tool "${tool}" returned the following. ${fields}`,
  toolReturnedRows: (tool: string, count: number) =>
    `The tool "${tool}" returned ${count} ${count === 1 ? 'row' : 'rows'}:`,
  toolReturnedNothing: (tool: string) => `The tool "${tool}" returned nothing.`,
  moreRows: (count: number) => `and ${count} more`,
  askFor: (tool: string, names: string) => `To use "${tool}" I still need: ${names}. Please tell me.`,
  askForUrl: 'Which web address should I read? Please write it out, beginning with https://.',
  askForQuestion: 'What would you like to know?',
  greeting: 'Hello! What would you like to know?',
  thanks: "You're welcome.",
  farewell: 'Goodbye!',
  howAreYou: 'Everything is running. What would you like to know?',
  about:
    'I am the built-in extractive model: a small program without a language model (LLM). I answer questions by quoting ' +
    'ingested documents, when the request offers the tool semantic_search_v1, and I can call other tools whose ' +
    'arguments your message gives. For free conversation, connect a real model by setting OPENAI_BASE_URL to any ' +
    'OpenAI-compatible server.',
  noImages: 'I am the built-in extractive model and cannot look at images.',
  yes: 'yes',
  no: 'no',
};

export type Phrases = typeof ENGLISH;

const SPANISH: Phrases = {
  notAnswered: 'No he encontrado la respuesta a esa pregunta en los documentos.',
  notAnsweredPart: (question) => `No he encontrado en los documentos la respuesta a esto: ${question}`,
  nothingFound: 'La búsqueda no ha devuelto ningún pasaje, así que no puedo responder a partir de los documentos.',
  notInText: 'No he encontrado la respuesta a esa pregunta en el texto que ha enviado.',
  toolFailed: (tool, text) => `La herramienta «${tool}» ha fallado: ${text}`,
  toolFailedSilently: (tool) => `La herramienta «${tool}» ha fallado sin decir por qué.`,
  toolReturned: (tool, text) => `La herramienta «${tool}» ha devuelto: ${text}`,
  toolReturnedFields: (tool, fields) => `La herramienta «${tool}» ha devuelto lo siguiente. ${fields}`,
  toolReturnedRows: (tool, count) => `La herramienta «${tool}» ha devuelto ${count} ${count === 1 ? 'fila' : 'filas'}:`,
  toolReturnedNothing: (tool) => `La herramienta «${tool}» no ha devuelto nada.`,
  moreRows: (count) => `y ${count} más`,
  askFor: (tool, names) => `Para usar «${tool}» me falta: ${names}. Indíquelo, por favor.`,
  askForUrl: '¿Qué dirección web debo leer? Escríbala completa, empezando por https://.',
  askForQuestion: '¿Qué quiere saber?',
  greeting: '¡Hola! ¿Qué quiere saber?',
  thanks: 'De nada.',
  farewell: '¡Hasta pronto!',
  howAreYou: 'Todo funciona. ¿Qué quiere saber?',
  about:
    'Soy el modelo extractivo integrado: un programa pequeño sin modelo de lenguaje (LLM). Respondo citando los ' +
    'documentos incorporados, cuando la petición ofrece la herramienta semantic_search_v1, y puedo llamar a otras ' +
    'herramientas si el mensaje da sus argumentos. Para conversar libremente, conecte un modelo de verdad: ponga en ' +
    'OPENAI_BASE_URL la dirección de un servidor compatible con OpenAI.',
  noImages: 'Soy el modelo extractivo integrado y no puedo ver imágenes.',
  yes: 'sí',
  no: 'no',
};

export const phrasesIn = (language: Language): Phrases => (language === 'es' ? SPANISH : ENGLISH);
