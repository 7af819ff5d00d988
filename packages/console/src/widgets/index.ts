/**
 * What draws from its properties alone, on any screen: cards, icons, tables, fields, texts. It asks the service
 * nothing.
 */
