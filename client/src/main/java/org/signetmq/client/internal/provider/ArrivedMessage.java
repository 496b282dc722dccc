/* SPDX-License-Identifier: Apache-2.0 */
package org.signetmq.client.internal.provider;

import jakarta.jms.Message;

/** A message as a client library delivered it. */
public record ArrivedMessage(Message message, ClientLibrary library) {}
