/**
 * What rooms with routes share: problems as answers, what an operation says of itself, readers of bodies and query
 * parameters that carry their schema, and rules for hosts, connections and compressed answers.
 */
