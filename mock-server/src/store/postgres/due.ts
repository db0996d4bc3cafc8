/** When deliveries are due, in SQL: of the endpoint `p`, the sandbox `s` and the delivery `d`. */

/** Whether a pending delivery may be attempted, whatever its time. */
export const ELIGIBLE = `d.state = 'pending' AND NOT p.disabled AND (NOT s.paused OR d.hurried)`

/** When the first one of an endpoint is due, in real time; null for none. */
export const FIRST_DUE = `(SELECT d.due - s.clock_offset
  FROM {deliveries} d JOIN {sandboxes} s ON s.id = d.sandbox
  WHERE d.endpoint = p.number AND ${ELIGIBLE} ORDER BY d.due LIMIT 1)`
