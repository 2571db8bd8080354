/** What the words of a question ask for, in English and Spanish. A phrase of more words wins over one of fewer. */
import { wordsOf, type Word } from './forms';

export type Aggregate = 'sum' | 'avg' | 'min' | 'max' | 'median';
export type Unit = 'day' | 'month' | 'quarter' | 'year';
/** A column that a word means without naming it. */
export type Quantity = 'age' | 'price' | 'salary' | 'weight' | 'duration';
export type ChartType = 'bar' | 'line' | 'scatter' | 'histogram';

export type Meaning =
  | { readonly t: 'count' }
  | { readonly t: 'much' }
  | { readonly t: 'aggregate'; readonly fn: Aggregate }
  /** Of the most or the least; `counts` where it speaks of how many or how much ("most orders"). */
  | {
      readonly t: 'super';
      readonly most: boolean;
      readonly counts: boolean;
      /** The quantity that the word speaks of: of "cheapest" the price. */
      readonly implies?: Quantity;
      /** "Best" does not say whether more is better. */
      readonly isVague?: boolean;
    }
  /** A verb that speaks of a quantity: "earn" of the salary. */
  | { readonly t: 'implied'; readonly quantity: Quantity }
  /** A part of a whole, in percent. */
  | { readonly t: 'share' }
  | { readonly t: 'versus' }
  /** "Compare": what is joined by "and" is held against each other. */
  | { readonly t: 'contrast' }
  | { readonly t: 'by' }
  | { readonly t: 'unit'; readonly unit: Unit }
  /** `of` says what may follow: "over" goes with numbers, "since" with dates. */
  | {
      readonly t: 'compare';
      readonly op: '>' | '>=' | '<' | '<=' | '=';
      readonly of: 'numbers' | 'dates' | 'both';
      readonly implies?: Quantity;
    }
  /** "Negative": less than nothing. */
  | { readonly t: 'sign'; readonly op: '>' | '<' | '<='; readonly isStock?: boolean }
  | { readonly t: 'between' | 'and' | 'or' | 'to' | 'not' | 'without' | 'distinct' | 'when' | 'rows' }
  /** "Orders from 2024" may be those of that year. */
  | { readonly t: 'from'; readonly isSince: boolean }
  | { readonly t: 'sell'; readonly isMoney?: boolean }
  /** `who` asks for rows, where "what" may ask for a number. */
  | { readonly t: 'which'; readonly who: boolean }
  | { readonly t: 'order'; readonly most: boolean }
  | { readonly t: 'chart'; readonly type?: ChartType }
  /** "Bought": the orders, purchases or sales of somebody. */
  | { readonly t: 'act' }
  | { readonly t: 'nothing' };

const PHRASES: readonly (readonly [Meaning, string])[] = [
  [
    { t: 'count' },
    'how many|number of|the number of|count|count of|total number of|the total number of|numero total de|el numero total de|cuantos|cuantas|numero de|el numero de|cantidad de',
  ],
  [{ t: 'much' }, 'how much|cuanto|cuanta'],
  [{ t: 'aggregate', fn: 'sum' }, 'total|totals|sum|sum of|suma|suma de|totales|add up|sumar|sumado|sumados'],
  [
    { t: 'aggregate', fn: 'avg' },
    'average|averages|avg|mean|on average|average of|promedio|prom|media|medio|medios|medias|en promedio|de media|como media',
  ],
  [{ t: 'aggregate', fn: 'median' }, 'median|mediana|mediano'],
  [{ t: 'aggregate', fn: 'min' }, 'minimum|minimo|minima|minimos|minimas|min'],
  [{ t: 'aggregate', fn: 'max' }, 'maximum|maximo|maxima|maximos|maximas|max'],
  [
    { t: 'super', most: true, counts: false },
    'highest|largest|biggest|greatest|top|mayor|mayores|mas alto|mas alta|mas altos|mas altas|mas grande|mas grandes|mas elevado|mas elevada',
  ],
  [
    { t: 'super', most: false, counts: false },
    'lowest|smallest|bottom|menor|menores|mas bajo|mas baja|mas bajos|mas bajas|mas pequeno|mas pequena',
  ],
  [{ t: 'super', most: true, counts: false, isVague: true }, 'best|mejor|mejores'],
  [{ t: 'super', most: false, counts: false, isVague: true }, 'worst|peor|peores'],
  [
    { t: 'super', most: true, counts: false, implies: 'price' },
    'most expensive|the most expensive|priciest|mas caro|mas cara|mas caros|mas caras',
  ],
  [
    { t: 'super', most: false, counts: false, implies: 'price' },
    'cheapest|least expensive|the least expensive|mas barato|mas barata|mas baratos|mas baratas|mas economico|mas economica',
  ],
  [
    { t: 'super', most: true, counts: false, implies: 'age' },
    'oldest|eldest|mayor edad|de mayor edad|mas viejo|mas vieja|mas viejos|mas viejas',
  ],
  [
    { t: 'super', most: false, counts: false, implies: 'age' },
    'youngest|menor edad|de menor edad|mas joven|mas jovenes',
  ],
  [
    { t: 'super', most: true, counts: false, implies: 'salary' },
    'highest paid|best paid|top paid|best earning|highest earning|mejor pagado|mejor pagada|mejor pagados|mejor pagadas',
  ],
  [
    { t: 'super', most: true, counts: false, implies: 'weight' },
    'heaviest|mas pesado|mas pesada|mas pesados|mas pesadas',
  ],
  [
    { t: 'super', most: false, counts: false, implies: 'weight' },
    'lightest|mas ligero|mas ligera|mas ligeros|mas ligeras|menos pesado|menos pesada',
  ],
  [{ t: 'super', most: true, counts: false, implies: 'duration' }, 'longest|mas largo|mas larga|mas largos|mas largas'],
  [
    { t: 'super', most: false, counts: false, implies: 'duration' },
    'shortest|mas corto|mas corta|mas cortos|mas cortas',
  ],
  [
    { t: 'super', most: false, counts: false, implies: 'salary' },
    'lowest paid|worst paid|least paid|peor pagado|peor pagada|peor pagados|peor pagadas',
  ],
  [{ t: 'implied', quantity: 'salary' }, 'earn|earns|earned|earning|paid|pays|pay|gana|ganan|cobra|cobran|paga|pagan'],
  [{ t: 'implied', quantity: 'price' }, 'costs|costing|priced|cuesta|cuestan|valen'],
  [
    { t: 'share' },
    'percentage|% of|what % of|% de|que % de|% del|the percentage of|percentage of|what percent of|percent of|proportion of|share of|what share of|what fraction of|fraction of|que parte de|que parte del|que proporcion de|porcentaje|porcentaje de|porcentaje del|que porcentaje de|proporcion de',
  ],
  [
    { t: 'versus' },
    'versus|vs|against|frente a|contra|comparado con|compared to|compared with|in comparison to|in comparison with|respecto a|comparado a|comparada con|comparados con|en comparacion con',
  ],
  [
    { t: 'contrast' },
    'compare|comparison of|comparison between|compara|comparame|comparar|comparacion de|comparacion entre',
  ],
  [{ t: 'super', most: true, counts: true }, 'most|the most|mas'],
  [{ t: 'super', most: false, counts: true }, 'least|fewest|the least|the fewest|menos'],
  [
    { t: 'by' },
    'by|per|for each|for every|in each|in every|of each|each|every|broken down by|grouped by|by each|por|por cada|para cada|en cada|de cada|cada|segun|agrupado por|agrupados por|agrupada por|agrupadas por|desglosado por|desglosadas por',
  ],
  [{ t: 'unit', unit: 'day' }, 'day|days|daily|dia|dias'],
  [{ t: 'unit', unit: 'month' }, 'month|months|monthly|mes|meses|mensual|mensuales'],
  [{ t: 'unit', unit: 'quarter' }, 'quarter|quarters|quarterly|trimestre|trimestres'],
  [{ t: 'unit', unit: 'year' }, 'year|years|yearly|annual|ano|anos|anual|anuales'],
  [
    { t: 'compare', op: '>', of: 'numbers' },
    'more than|greater than|higher than|larger than|over|above|exceeding|mayor que|mayor de|mayores que|mayores de|mas de|mas que|superior a|superiores a|superior al|superiores al|por encima del|por encima de|supera|superan|superen|supero|superaron|superaban|superan los|superaron los|superan las|superaron las|exceed|exceeds|exceeded|de mas de',
  ],
  [{ t: 'compare', op: '>', of: 'numbers', implies: 'age' }, 'older than'],
  [{ t: 'compare', op: '<', of: 'numbers', implies: 'age' }, 'younger than'],
  [
    { t: 'compare', op: '>', of: 'numbers', implies: 'price' },
    'more expensive than|mas caro que|mas caros que|mas cara que|mas caras que|mas caros de|mas caras de',
  ],
  [
    { t: 'compare', op: '<', of: 'numbers', implies: 'price' },
    'cheaper than|mas barato que|mas baratos que|mas barata que|mas baratas que|mas baratos de|mas baratas de',
  ],
  [{ t: 'compare', op: '>', of: 'dates' }, 'after|despues de|despues del'],
  [{ t: 'compare', op: '>', of: 'both' }, '>'],
  [
    { t: 'compare', op: '>=', of: 'numbers' },
    'at least|no less than|equal to or more than|equal or more than|no fewer than|al menos|como minimo|por lo menos',
  ],
  [{ t: 'compare', op: '>=', of: 'dates' }, 'since|a partir de|a partir del'],
  [{ t: 'compare', op: '>=', of: 'both' }, '>=|≥'],
  [
    { t: 'compare', op: '<', of: 'numbers' },
    'less than|fewer than|lower than|smaller than|under|below|menor que|menor de|menores que|menores de|menos de|menos que|inferior a|inferiores a|inferior al|inferiores al|por debajo del|por debajo de|de menos de',
  ],
  [{ t: 'compare', op: '<', of: 'dates' }, 'before|antes de|antes del'],
  [{ t: 'compare', op: '<', of: 'both' }, '<'],
  [{ t: 'compare', op: '<=', of: 'numbers' }, 'at most|no more than|como maximo|a lo sumo'],
  [{ t: 'compare', op: '<=', of: 'dates' }, 'until|through'],
  [{ t: 'compare', op: '<=', of: 'both' }, '<=|≤|up to|hasta|hasta el'],
  [{ t: 'sign', op: '<' }, 'negative|below zero|negativo|negativa|negativos|negativas|bajo cero|por debajo de cero'],
  [{ t: 'sign', op: '>' }, 'positive|above zero|positivo|positiva|positivos|positivas|por encima de cero'],
  [{ t: 'sign', op: '<=', isStock: true }, 'out of stock|sold out|agotado|agotada|agotados|agotadas'],
  [{ t: 'compare', op: '=', of: 'numbers' }, 'equal to|equals|exactly|igual a|exactamente|='],
  [{ t: 'from', isSince: false }, 'from'],
  [{ t: 'from', isSince: true }, 'desde|desde el'],
  [{ t: 'between' }, 'between|entre'],
  [{ t: 'and' }, 'and|y|e|,'],
  [{ t: 'or' }, 'or|nor|o|u'],
  [{ t: 'to' }, 'to'],
  [
    { t: 'not' },
    'not|non|neither|except|excluding|other than|but not|not in|is not|are not|isnt|arent|no|excepto|salvo|que no sean|que no sea|que no son|distinto de|distintos de|no es|no son|sin contar',
  ],
  [
    { t: 'without' },
    'without|without a|without an|without any|with no|missing|have no|has no|had no|do not have|do not have a|do not have an|does not have|does not have a|does not have an|dont have|dont have a|doesnt have|doesnt have a|sin|sin ningun|sin ninguna|no tienen|no tienen ningun|no tienen ninguna|no tiene|no tiene ningun|no tiene ninguna|no tengan|no tengan ningun|no tengan ninguna',
  ],
  [
    { t: 'distinct' },
    'different|distinct|unique|distintos|distintas|diferentes|distinto|distinta|unicos|unicas|diferente',
  ],
  [
    { t: 'which', who: false },
    'which|what|whats|list|show|show me|give me|tell me|find|name|que|cual|cuales|lista|lista de|listado de|muestra|muestrame|dame|dime|enumera|ensename|display',
  ],
  [{ t: 'which', who: true }, 'who|quien|quienes'],
  [
    { t: 'when' },
    'when|on which day|on what day|on which date|on what date|cuando|que dia|en que fecha|en que dia|que fecha|which day',
  ],
  [{ t: 'rows' }, 'rows|row|records|record|entries|lines|filas|fila|registros|registro|lineas|entradas'],
  // What is spent is money.
  [
    { t: 'sell', isMoney: true },
    'revenue|revenues|turnover|ingresos|facturacion|invoiced|billed|facturamos|facturado|facturo|hemos facturado|se ha facturado|se facturo',
  ],
  [{ t: 'sell', isMoney: true }, 'spent|spend|spends|gastado|gasto|gastaron|gastan|ha gastado|han gastado'],
  [
    { t: 'sell' },
    'sales|ventas|brought in|bring in|brings in|sold|sell|sells|vendido|vendida|vendidos|vendidas|vendimos|vendio|vendieron|se vendio|se vendieron|se vende|se venden|se ha vendido|se han vendido|hemos vendido',
  ],
  [
    { t: 'act' },
    'bought|buy|buys|purchased|purchase|ordered|order|compro|compraron|comprado|han comprado|compran|pidieron|pidio|han pedido',
  ],
  [
    { t: 'order', most: true },
    'from highest to lowest|from most to least|descending|in descending order|de mayor a menor|en orden descendente',
  ],
  [
    { t: 'order', most: false },
    'from lowest to highest|ascending|in ascending order|de menor a mayor|en orden ascendente',
  ],
  [
    { t: 'chart' },
    'chart|a chart of|as a chart|graph|plot|diagram|draw|grafico|grafica|grafico de|grafica de|diagrama|dibuja|dibujame|en un grafico|en una grafica|haz|make|create|crea',
  ],
  [
    { t: 'chart', type: 'bar' },
    'bar chart|bar chart of|a bar chart|bar graph|bars|column chart|grafico de barras|grafico de barras de|grafica de barras|grafica de barras de|diagrama de barras|diagrama de barras de',
  ],
  [
    { t: 'chart', type: 'line' },
    'line chart|line chart of|a line chart|line graph|line plot|grafico de lineas|grafico de lineas de|grafica de lineas|grafica de lineas de|grafico de linea',
  ],
  [
    { t: 'chart', type: 'scatter' },
    'scatter plot|scatter plot of|scatter chart|scatter chart of|scatterplot|scatterplot of|scatter|grafico de dispersion|grafico de dispersion de|diagrama de dispersion|diagrama de dispersion de|dispersion',
  ],
  [
    { t: 'chart', type: 'histogram' },
    'histogram|histogram of|a histogram of|histograma|histograma de|un histograma de',
  ],
  [
    { t: 'nothing' },
    `the|a|an|of|in|on|at|for|with|is|are|was|were|be|been|do|does|did|has|have|had|having|there|we|our|us|i|my|it|its|
     they|their|this|that|these|those|please|can|could|you|all|only|in total|overall|altogether|than|made|make|place|places|placed|
     during|whose|where|contain|contains|containing|come|comes|came|came through|come through|comes through|came in through|belong|belongs|belonging|to me|table|the table|data|file|dataset|
     get|me|as|ones|still|aun|todavia|from the|in the|exist|exists|recorded|registered|
     el|la|los|las|lo|un|una|unos|unas|de|del|en|con|es|son|era|fue|fueron|eran|hay|hubo|habia|ha|han|hemos|tiene|tienen|
     tenia|tenemos|se|nos|nuestro|nuestra|nuestros|nuestras|su|sus|este|esta|estos|estas|ese|esa|por favor|puedes|quiero|
     saber|todos|todas|todo|toda|solo|solamente|en total|en conjunto|para|cuyo|cuya|cuyos|cuyas|hechos|hechas|realizados|
     realizadas|durante|contienen|contiene|tabla|la tabla|datos|archivo|registrados|registradas|existen|aparecen|
     estan|esta en|estan en|hicimos|tuvimos|hicieron|a|ver|me|fueron hechos|corresponden|corresponde|al|
     porfa|porfavor|dices|digas|decir|decirme|pls|plz|hi|hello|hola|buenos dias|thanks|gracias|quisiera|necesito|need|know|would|would like|could|vinieron|vino|fue|fueron|acudieron|atendio|atendieron|atendidos|atendidas|handled|served|asistieron|went|go|got|saco|sacaron|obtuvo|obtuvieron|comes from|include|includes|incluye|incluyen|stored|kept|located|based|guardados|guardadas|almacenados|almacenadas|ubicados|ubicadas|situados|situadas|vienen|viene|procede|proceden|
     dieron de|dio de|se dieron de|se dio de|dado de|dados de|dadas de|tuvo|tuvieron|hizo|work|works|working|worked|live|lives|living|trabaja|trabajan|trabajaban|vive|viven|employed`,
  ],
];

/** Phrases that begin with a word, longest first. */
const BY_FIRST = new Map<string, { readonly words: readonly string[]; readonly meaning: Meaning }[]>();
for (const [meaning, phrases] of PHRASES) {
  for (const phrase of phrases.split('|')) {
    const words = wordsOf(phrase.trim()).map(({ text }) => text);
    const [first] = words;
    if (first === undefined) continue;
    const known = BY_FIRST.get(first) ?? [];
    known.push({ words, meaning });
    BY_FIRST.set(
      first,
      known.sort((a, b) => b.words.length - a.words.length),
    );
  }
}

/** The longest phrase that stands at a place, and how many words it has. */
export function phraseAt(words: readonly Word[], at: number): { meaning: Meaning; length: number } | undefined {
  const word = words[at]!;
  if (word.kind === 'quoted' || word.kind === 'number') return undefined;
  for (const { words: phrase, meaning } of BY_FIRST.get(word.text) ?? []) {
    if (phrase.every((part, i) => words[at + i]?.text === part && words[at + i]?.kind !== 'quoted')) {
      return { meaning, length: phrase.length };
    }
  }
  return undefined;
}

/** Whether a word alone is one that means nothing here. */
export const isFiller = (word: string): boolean =>
  BY_FIRST.get(word)?.some(({ words, meaning }) => words.length === 1 && meaning.t === 'nothing') ?? false;

const JOINERS: readonly Meaning['t'][] = ['and', 'or', 'not', 'by', 'from', 'to', 'between', 'without'];

/** Whether a word alone only joins or negates others. */
export const isJoiner = (word: string): boolean =>
  BY_FIRST.get(word)?.some(({ words, meaning }) => words.length === 1 && JOINERS.includes(meaning.t)) ?? false;
