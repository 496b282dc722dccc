/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope;

/**
 * The place of an envelope in a large message.
 *
 * @param number from 1
 * @param last whether no other follows
 */
public record Segment(int number, boolean last) {}
