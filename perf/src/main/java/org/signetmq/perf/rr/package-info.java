/* SPDX-License-Identifier: Apache-2.0 */
/**
 * {@code signet perf rr}: requests and replies through a broker, from end to end. Three processes: the command plans
 * and reports; {@link org.signetmq.perf.rr.RrBroker} is the broker; {@link org.signetmq.perf.rr.RrLoad} the clients.
 */
@NullMarked
package org.signetmq.perf.rr;

import org.jspecify.annotations.NullMarked;

