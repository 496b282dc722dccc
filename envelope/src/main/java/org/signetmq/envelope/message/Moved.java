/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.envelope.message;

/**
 * The way of a message that the broker took from one address and put on another: dead letters, expired messages.
 *
 * @param from where it was first, as the broker noted it; whoever can write to the other address can write this note
 *     too, so it only says what the message must prove
 * @param to where it lies now
 */
public record Moved(String from, String to) {}
