/** Words that carry grammar and no subject, without accents. They tell the language, and are not worth searching. */
const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

export const ENGLISH_STOP_WORDS = words(`
  a about above after again all also am an and any are as at be because been before being below between both but by
  can cannot could did do does doing down during each either else etc ever every few for from further had has have
  having he her here hers him his how however i if in into is it its itself just let like many may me might more most
  much must my neither no nor not now of off often on once only onto or other others our ours out over own per please
  rather same shall she should so some such than that the their theirs them then there therefore these they this
  those though through thus to too under until up upon us very was we were what when where whether which while who
  whom whose why will with within without would yet you your yours`);

export const SPANISH_STOP_WORDS = words(`
  a al algo alguna algunas alguno algunos ambos ante antes aquel aquella aquellas aquello aquellos aqui asi aun aunque
  bajo bien cabe cada casi como con contra cual cuales cualquier cualquiera cuando cuanta cuantas cuanto cuantos cuya
  cuyas cuyo cuyos de debe deben del desde despues donde dos durante e el ella ellas ello ellos embargo en entonces
  entre era eran eres es esa esas ese eso esos esta estaba estaban estan estar estas este esto estos fue fueron fuera
  gracias ha haber habia habian han hasta hay hace hacen hacer hacia he incluso la las le les lo los luego mas me
  mediante menos mi mis mientras mismo misma mismos mismas mucha muchas mucho muchos muy nada ni ningun ninguna no nos
  nosotros nuestra nuestras nuestro nuestros o os otra otras otro otros para pero poco por porque pues puede pueden
  puedo que quien quienes se sea sean segun ser si sido siempre siendo sin sino sobre solo son su sus tal tales tambien
  tampoco tan tanto te tener tiene tienen toda todas todavia todo todos tras tu tus u un una unas uno unos usted
  ustedes va van varias varios y ya yo`);
