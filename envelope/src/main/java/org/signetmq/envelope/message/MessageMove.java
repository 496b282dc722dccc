/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.message;

/**
 * The two addresses of a message that the broker moved, such as a dead letter or an expired message.
 *
 * @param from the original address in the broker's note; producers to the other address can forge the note, so the
 *     message must prove the address
 * @param to the address where the message is now
 */
public record MessageMove(String from, String to) {}
