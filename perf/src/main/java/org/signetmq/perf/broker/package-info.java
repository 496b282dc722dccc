/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What the brokers of a pair stand on: their number, their disk, their backups and their share of the processor.
 * Imports no other room of perf.
 */
@NullMarked
package org.signetmq.perf.broker;

import org.jspecify.annotations.NullMarked;
