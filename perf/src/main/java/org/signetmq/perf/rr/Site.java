/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.perf.rr;

/**
 * Where the clients find things: the first line that their process is told.
 *
 * @param folder of the homes
 * @param port of the broker
 * @param brokerPid whose processor time is read
 */
record Site(String folder, int port, long brokerPid) {}
